import { expect, test } from '@jest/globals';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import type { ReconcileApp } from '#dialling/sweep.ts';
import { rebuildSlots } from '#dialling/rebuild-slots.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { HeldSlot } from '#slots/slot-registry.ts';
import type { CellState } from '#platform/freeswitch/switch.ts';

const NOW = 1_000_000;
const unused = () => Promise.reject(new Error('not asked'));

const attempt = (requestId: string): OpenAttempt => ({
  id: 1,
  requestId,
  campaignId: 1,
  contactId: 1,
  lineId: 1,
  callerNumber: '02160000001',
  cellId: 'cell-1',
  status: 'completed',
  claimedAgoMs: 60_000,
  dialingAgoMs: 60_000,
  answeredAt: null,
  heardRuntime: null,
  unheardMs: null,
  hasResult: false,
});

/** Slots that a rebuild restores while the only cell is in this state, and its queries for recently reported calls. */
async function restoredWith(cell: Pick<CellState, 'state' | 'since'>): Promise<{ held: string[]; asked: [string, number][] }> {
  const held: HeldSlot[] = [];
  const asked: [string, number][] = [];
  const deps = {
    dials: {
      openAttempts: async () => [],
      loadDetails: async () => [],
      findAttempts: async (ids: readonly string[]) => ids.map(attempt),
      closedByReport: async (cellId: string, withinMs: number) => {
        asked.push([cellId, withinMs]);
        return [attempt('reported')];
      },
    },
    slots: {
      startRebuild: async () => undefined,
      restore: async (_rebuild: string, slots: readonly HeldSlot[]) => void held.push(...slots),
      open: async () => true,
    },
    softphoneCalls: { findOpen: async () => [], listHolding: async () => [] },
    switchPort: {
      cells: () => [{ cellId: 'cell-1', isEnabled: true, maxConcurrency: 0, maxOriginatesPerSecond: 30, ...cell }],
      channels: async () => [{ uuid: 'seen', isAnswered: true, isInConference: false }],
      probe: unused,
    },
    wake: { campaign: () => undefined },
    ids: systemIds,
    log: silentLog,
    clock: { now: () => NOW },
  };
  await rebuildSlots(deps as unknown as ReconcileApp);
  return { held: held.map(slot => slot.requestId), asked };
}

test('a reachable cell reports the remaining channels of closed attempts [I1, A6 step 10]', async () => {
  expect(await restoredWith({ state: 'up', since: NOW - 5_000 })).toEqual({ held: ['seen'], asked: [] });
});

test('an unreachable cell keeps the slots of calls reported since, or shortly before, until it responds [I1, A6 step 11]', async () => {
  expect(await restoredWith({ state: 'down', since: NOW - 5_000 })).toEqual({ held: ['reported'], asked: [['cell-1', 110_000]] });
});
