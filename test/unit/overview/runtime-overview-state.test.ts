import { describe, expect, test } from '@jest/globals';
import { isSameNow, type RuntimeNow, liveCounts } from '#overview/runtime-overview-feed.ts';
import type { LiveCall } from '#calls/live-call.ts';

function now(runtime: object): RuntimeNow {
  return { overview: { activeContacts: 1, runtimes: [runtime] }, recentMinutes: [], waiting: null } as unknown as RuntimeNow;
}

test('a new heartbeat of a runtime is no change, a different number of calls is', () => {
  const before = now({ runtimeId: 'a', calls: 1, ageSeconds: 0, lastSeenAt: 1_000 });
  expect(isSameNow(before, now({ runtimeId: 'a', calls: 1, ageSeconds: 3, lastSeenAt: 4_000 }))).toBe(true);
  expect(isSameNow(before, now({ runtimeId: 'a', calls: 2, ageSeconds: 0, lastSeenAt: 1_000 }))).toBe(false);
});

describe('live calls', () => {
  const call = (changes: object) => ({ status: 'live', waitingSince: null, intervention: null, ...changes }) as unknown as LiveCall;
  const beginning = (calls: LiveCall[]) => [{ kind: 'snapshot' as const, state: { calls, truncated: false }, at: 0, cursor: '' }];

  test('wait when they lack a monitor or their claim a connected agent, each with the longest wait', () => {
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
    expect(liveCounts(beginning(calls))?.waiting).toEqual({ forMonitor: { count: 2, since: 10 }, claims: { count: 2, since: 30 } });
  });

  test('are counted by how far they have come', () => {
    const calls = ['dialing', 'dialing', 'ringing', 'live', 'settling', 'ended'].map(status => call({ status }));
    expect(liveCounts(beginning(calls))?.stages).toEqual({ dialling: 2, ringing: 1, talking: 2 });
  });

  test('are not counted while they are unknown', () => {
    expect(liveCounts([])).toBeNull();
    expect(liveCounts([{ kind: 'resync', reason: 'SOURCE_UNAVAILABLE', at: 0, cursor: '' }])).toBeNull();
  });
});
