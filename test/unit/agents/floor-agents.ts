import type { PhoneRegistry } from '#agents/phone-registry.ts';
import type { Agent } from '#agents/agent.ts';

export const FLOOR_CELL = 'cell-1';

/** Every phone is registered, at the only cell. */
export const EVERY_PHONE: PhoneRegistry = {
  registration: () => 'registered',
  locate: () => ({ cellId: FLOOR_CELL, realm: '127.0.0.1' }),
  cells: () => [],
  refresh: async () => undefined,
  run: async () => undefined,
};

export function agentRow(id: number): Agent {
  return {
    id,
    name: `坐席 ${id}`,
    phoneExtension: String(7_000 + id),
    groupId: null,
    userId: null,
    cellId: null,
    isEnabled: true,
    authUsername: '',
    hasPassword: false,
    createdAt: 0,
    updatedAt: 0,
  };
}
