import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { CALL_STATUSES } from '#rules/call-status.ts';
import { attemptsAllowed, decideRetry } from '#rules/retry.ts';

const ended = { callStatus: 'busy' as const, attemptCount: 1, maxRetries: 2, retryIntervalSeconds: 900, endedAt: 1_000_000 };

describe('decideRetry', () => {
  test('redials 900 s after busy [D5.5]', () => {
    expect(decideRetry(ended)).toEqual({ contactStatus: 'failed', retryAt: 1_900_000 });
  });

  test('an interval of 0 is due at the end of the attempt [D5.3]', () => {
    expect(decideRetry({ ...ended, retryIntervalSeconds: 0 }).retryAt).toBe(1_000_000);
  });

  test('a contact has maxRetries + 1 attempts in all [D5.5]', () => {
    expect(attemptsAllowed(0)).toBe(1);
    expect(decideRetry({ ...ended, attemptCount: 2 }).retryAt).not.toBeNull();
    expect(decideRetry({ ...ended, attemptCount: 3 })).toEqual({ contactStatus: 'failed', retryAt: null });
    expect(decideRetry({ ...ended, attemptCount: 9 }).retryAt).toBeNull();
    expect(decideRetry({ ...ended, maxRetries: 0 }).retryAt).toBeNull();
  });

  test.each(CALL_STATUSES)('%s completes the contact only when a person answered [D7.1]', callStatus => {
    const isAnswered = callStatus === 'answered' || callStatus === 'completed';
    expect(decideRetry({ ...ended, callStatus })).toEqual(
      isAnswered ? { contactStatus: 'completed', retryAt: null } : { contactStatus: 'failed', retryAt: 1_900_000 },
    );
  });

  test('an unknown outcome is retryable [D7.8]', () => {
    expect(decideRetry({ ...ended, callStatus: null })).toEqual({ contactStatus: 'failed', retryAt: 1_900_000 });
  });

  test('retrying after every failure dials exactly maxRetries + 1 times [D5.5]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), maxRetries => {
        let attemptCount = 1;
        while (decideRetry({ ...ended, maxRetries, attemptCount }).retryAt !== null) attemptCount += 1;
        expect(attemptCount).toBe(maxRetries + 1);
      }),
    );
  });
});
