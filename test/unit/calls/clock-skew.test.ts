import { expect, test } from '@jest/globals';
import { applyResult } from '#calls/apply-result.ts';
import { CalloutError } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import type { ResultReport, OutcomesPart } from '#outcomes/outcome-store.ts';
import type { NewRuntimeEvent, RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import type { CallsPart } from '#calls/call-actor.ts';
import type { LiveCallReadPart } from '#calls/live-call-store.ts';
import type { Platform } from '#platform/platform.ts';

const CALL = '7d0f6c2e-3d63-4a8e-9a51-0c6a8f0f3b11';
const REPORT = { requestId: CALL, attemptId: null, callStatus: 'completed', transcript: [{}] } as unknown as ResultReport;
const APPLIED = { kind: 'applied', attemptId: 1, requestId: CALL, campaignId: 1, status: 'completed', duplicate: false };

interface Given {
  skewMs?: number;
  context?: object;
  isCacheAway?: boolean;
}

async function report({ skewMs, context, isCacheAway }: Given, more: object = {}) {
  const written: ResultReport[] = [];
  const events: NewRuntimeEvent[] = [];
  const deps = {
    dials: {
      applyResult: async (given: ResultReport) => {
        written.push(given);
        return { ...APPLIED, conflicts: [], outboxId: null, ...(skewMs !== undefined && { clockSkewMs: skewMs }) };
      },
    },
    calls: {
      find: async () => {
        if (isCacheAway) throw new CalloutError('CACHE_UNAVAILABLE', '缓存不可用');
        return context === undefined ? null : { state: { context } };
      },
    },
    events: { record: async (event: NewRuntimeEvent) => void events.push(event) },
    clock: manualClock(),
    log: silentLog,
  } as unknown as CallsPart & OutcomesPart & LiveCallReadPart & RuntimeEventsPart & Pick<Platform, 'clock' | 'log'>;
  await applyResult(deps, { ...REPORT, ...more });
  return { written, events };
}

test('a wrong clock is one event per runtime, which gives direction and size of the skew [D14.3]', async () => {
  const { events } = await report({ skewMs: -600_000 }, { runtimeId: 'r-1' });
  expect(events).toMatchObject([
    { type: 'runtime.clock_skew', dedupeKey: 'clock_skew:r-1', detail: { runtimeId: 'r-1', skewMs: -600_000 } },
  ]);
  expect(events[0]?.message).toContain('慢了约 600 秒');
  expect((await report({ skewMs: 7_000, context: { owner: 'r-2', answeredAt: null } })).events).toMatchObject([
    { dedupeKey: 'clock_skew:r-2' },
  ]);
  expect((await report({})).events).toEqual([]);
});

test('the answer and end that the live call saw are stored with the report; an unavailable cache does not prevent the write', async () => {
  const context = { answeredAt: 5_000, endedAt: 9_000, hangupCause: 'NORMAL_CLEARING' };
  expect((await report({ context })).written).toMatchObject([{ seen: { answeredAt: 5_000, hungUpAt: 9_000 } }]);
  expect((await report({ context: { ...context, hangupCause: null } })).written).toMatchObject([{ seen: { hungUpAt: null } }]);
  const { written } = await report({ isCacheAway: true });
  expect(written).toEqual([REPORT]);
  await expect(report({ isCacheAway: true }, { epoch: 1 })).rejects.toThrow('缓存不可用');
});
