import { describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { createRequestLimit } from '#access/login-limit.ts';

function limited(perMinute: number) {
  let now = 1_000;
  const limit = createRequestLimit({ perMinute, clock: { ...systemClock, monotonic: () => now } });
  return { take: (sessionId: string) => limit.take(sessionId), pass: (ms: number) => void (now += ms) };
}

describe('the request limit of a session', () => {
  test('allows the limit of a minute; the next request is refused with the time to wait', () => {
    const { take, pass } = limited(2);
    take('a');
    pass(15_000);
    take('a');
    expect(() => take('a')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 45 }));
    pass(45_000);
    expect(() => take('a')).not.toThrow();
  });

  test('counts each session separately', () => {
    const { take } = limited(1);
    take('a');
    expect(() => take('b')).not.toThrow();
    expect(() => take('a')).toThrow('请求过于频繁');
  });

  test('is off when it is 0', () => {
    const { take } = limited(0);
    for (let count = 0; count < 1_000; count++) take('a');
    expect(() => take('a')).not.toThrow();
  });
});
