import { describe, expect, test } from '@jest/globals';
import { getRuntimeOverview, type RuntimeOverviewDeps } from '#operations/overview/get-runtime-overview.ts';
import type { UsageKey } from '#ports/slot-book.ts';

describe('runtime overview', () => {
  test('takes the concurrency of lines and cells from the slot book [OCS 2.12]', async () => {
    const { lines, cells } = await getRuntimeOverview(givenDeps());
    expect(lines.map(({ lineId, active }) => [lineId, active])).toEqual([
      [3, 103],
      [4, 104],
    ]);
    expect(cells.map(({ cellId, active }) => [cellId, active])).toEqual([['c9', 209]]);
  });
});

function givenDeps(): RuntimeOverviewDeps {
  const line = { name: '线路', code: 'l', isEnabled: true, maxConcurrency: 1 };
  return {
    overview: {
      activity: async () => ({ activeContacts: 0, stuckContacts: 0, runningBatches: 0 }),
      scheduler: async () => ({ submittedLastMinute: 0, failedLastMinute: 0, completedBatchesLastMinute: 0 }),
      campaigns: async () => [],
      lines: async () => [
        { ...line, lineId: 3 },
        { ...line, lineId: 4 },
      ],
      stuckBatches: async () => [],
    },
    events: { recent: async () => [] },
    slots: { usage: async keys => keys.map(usageOf) },
    switch: { cells: () => [{ cellId: 'c9', isEnabled: true, state: 'up', since: 0, maxConcurrency: 0, maxOriginatesPerSecond: 30 }] },
    stuckCallMs: 90_000,
  };
}

function usageOf(key: UsageKey): number {
  if (key.kind === 'line') return 100 + key.lineId;
  return key.kind === 'cell' ? 200 + Number(key.cellId.slice(1)) : 0;
}
