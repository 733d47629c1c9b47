import type { PhoneRegistry } from '#agents/phone-registry.ts';
import type { RuntimeEvent } from '#runtime-events/runtime-event.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import { only } from '#test/support/only.ts';
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

/** Nobody reads what these agents did. */
export const NO_HISTORY = {
  agentStates: { record: async () => undefined },
  events: only<RuntimeEventStore>({ record: async () => only<RuntimeEvent>({}) }),
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
