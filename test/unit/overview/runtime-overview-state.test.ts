import { describe, expect, test } from '@jest/globals';
import { isSameNow, type RuntimeNow, waitingCalls } from '#overview/runtime-overview-feed.ts';
import type { LiveCall } from '#calls/live-call.ts';

function now(runtime: object): RuntimeNow {
  return { overview: { activeContacts: 1, runtimes: [runtime] }, recentMinutes: [], waiting: null } as unknown as RuntimeNow;
}

test('a new heartbeat of a runtime is no change, a different number of calls is', () => {
  const before = now({ runtimeId: 'a', calls: 1, ageSeconds: 0, lastSeenAt: 1_000 });
  expect(isSameNow(before, now({ runtimeId: 'a', calls: 1, ageSeconds: 3, lastSeenAt: 4_000 }))).toBe(true);
  expect(isSameNow(before, now({ runtimeId: 'a', calls: 2, ageSeconds: 0, lastSeenAt: 1_000 }))).toBe(false);
});

describe('calls that wait for an agent or monitor', () => {
  const call = (changes: object) => ({ status: 'live', waitingSince: null, intervention: null, ...changes }) as unknown as LiveCall;
  const beginning = (calls: LiveCall[]) => [{ kind: 'snapshot' as const, state: { calls, truncated: false }, at: 0, cursor: '' }];

  test('are those without a monitor and claims without a connected agent, each with the longest wait', () => {
    const claim = (status: string, requestedAt: number) => ({ intervention: { status, requestedAt } });
    const calls = [
      call({ waitingSince: 20 }),
      call({ waitingSince: 10 }),
      call({ waitingSince: 5, status: 'ended' }),
      call(claim('requested', 40)),
      call(claim('transferring', 30)),
      call(claim('active', 1)),
      call(claim('failed', 2)),
    ];
    expect(waitingCalls(beginning(calls))).toEqual({ forMonitor: { count: 2, since: 10 }, claims: { count: 2, since: 30 } });
  });

  test('are unknown while the live calls are unknown', () => {
    expect(waitingCalls([])).toBeNull();
    expect(waitingCalls([{ kind: 'resync', reason: 'SOURCE_UNAVAILABLE', at: 0, cursor: '' }])).toBeNull();
  });
});
