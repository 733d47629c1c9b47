import { randomUUID } from 'node:crypto';
import type { ReserveRequest } from '#slots/slot-registry.ts';

export const slotIds = (count: number) => Array.from({ length: count }, () => randomUUID());

/** A request for one slot of a line and a cell that have room. */
export function slotRequest(overrides: Partial<ReserveRequest> = {}): ReserveRequest {
  return {
    campaignId: 1,
    weight: 1,
    campaignMax: 100,
    callIntervalMs: 0,
    lines: [{ lineId: 7, max: 100, mode: 'single_shared', numbers: [], sharedNumber: '02100000000' }],
    cells: [{ cellId: 'cell-1', max: 0, maxPerSecond: 1_000 }],
    requestIds: slotIds(1),
    ...overrides,
  };
}
