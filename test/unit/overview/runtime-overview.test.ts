import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { only } from '#test/support/only.ts';
import { describe, expect, test } from '@jest/globals';
import { withUsage } from '#overview/runtime-overview.ts';
import { surveyRuntimes } from '#runtimes/survey-runtimes.ts';
import type { PooledRuntime, RuntimePoolPart, RuntimePool } from '#runtimes/runtime-pool.ts';
import type { UsageKey, SlotRegistry } from '#slots/slot-registry.ts';
import type { UnregisteredRuntimesPart } from '#runtimes/watch-runtimes.ts';
import type { RuntimeSettingsPart } from '#runtimes/decisions/runtime-care.ts';
import type { SwitchPort } from '#platform/freeswitch/switch.ts';

describe('runtime overview', () => {
  test('takes the concurrency of lines and cells from the slot registry [OCS 2.12]', async () => {
    const { lines, cells } = await withUsage(
      USAGE,
      [3, 4].map(lineId => ({ lineId, name: '线路', code: 'l', isEnabled: true, maxConcurrency: 1 })),
    );
    expect(lines.map(({ lineId, active }) => [lineId, active])).toEqual([
      [3, 103],
      [4, 104],
    ]);
    expect(cells.map(({ cellId, active }) => [cellId, active])).toEqual([['c9', 209]]);
  });

  test('lists registered runtimes by name, then id, and whether unregistered ones take calls [A5]', async () => {
    const { runtimes, runtimeMode, hasUnregistered } = await surveyRuntimes(givenDeps());
    expect([runtimeMode, hasUnregistered]).toEqual(['nats', true]);
    expect(runtimes.map(({ name, runtimeId }) => `${name} ${runtimeId}`)).toEqual(['a r2', 'b r1', 'b r3']);
    expect(runtimes[0]).toEqual({
      runtimeId: 'r2',
      name: 'a',
      version: '2.1.0',
      contract: 1,
      maxCalls: 30,
      calls: 4,
      active: 3,
      isDraining: false,
      isGone: false,
      resumes: true,
      businessCodes: null,
      lastSeenAt: 5_000,
      ageSeconds: 2,
    });
    expect(runtimes[1]?.businessCodes).toEqual(['visit']);
  });

  test('shows an age of 0 when the clock was set back', async () => {
    const deps = givenDeps();
    const { runtimes } = await surveyRuntimes({
      ...deps,
      pool: only<RuntimePool>({ closedBusinesses: async () => [], list: async () => [{ ...RUNTIME, ageMs: -3_000 }] }),
    });
    expect(runtimes.map(({ ageSeconds }) => ageSeconds)).toEqual([0]);
  });

  test('lists at most 500 runtimes', async () => {
    const many = Array.from({ length: 501 }, (_none, index) => ({ ...RUNTIME, runtimeId: `r${index}` }));
    const { runtimes } = await surveyRuntimes({
      ...givenDeps(),
      pool: only<RuntimePool>({ closedBusinesses: async () => [], list: async () => many }),
    });
    expect(runtimes).toHaveLength(500);
  });
});

const RUNTIME: PooledRuntime = {
  runtimeId: 'r2',
  name: 'a',
  version: '2.1.0',
  contract: 1,
  maxCalls: 30,
  active: 3,
  isDraining: false,
  resumes: true,
  nodeTypes: ['say'],
  seenAt: 5_000,
  ageMs: 2_999,
  isGone: false,
  aside: null,
  calls: 4,
};

const USAGE: Parameters<typeof withUsage>[0] = {
  slots: only<SlotRegistry>({ usage: async keys => keys.map(usageOf) }),
  switchPort: only<SwitchPort>({
    cells: () => [{ cellId: 'c9', isEnabled: true, state: 'up', since: 0, maxConcurrency: 0, maxOriginatesPerSecond: 30 }],
  }),
};

function givenDeps(): RuntimePoolPart & UnregisteredRuntimesPart & RuntimeSettingsPart {
  return {
    pool: only<RuntimePool>({
      closedBusinesses: async () => [],
      list: async () => [
        { ...RUNTIME, name: 'b', runtimeId: 'r3' },
        { ...RUNTIME, name: 'b', runtimeId: 'r1', businessCodes: ['visit'] },
        RUNTIME,
      ],
    }),
    runtimes: { hasUnregistered: () => true, isOpenEnded: async () => true },
    settings: { runtime: 'nats', care: RUNTIME_CARE },
  };
}

function usageOf(key: UsageKey): number {
  if (key.kind === 'line') return 100 + key.lineId;
  return key.kind === 'cell' ? 200 + Number(key.cellId.slice(1)) : 0;
}
