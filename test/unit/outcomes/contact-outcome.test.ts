import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { CALL_STATUSES } from '#protocol/call-status.ts';
import {
  attemptsAllowed,
  contactOutcome,
  type EndedAttempt,
  MAX_SILENT_REPEATS,
  OUR_FAULT_PAUSE_MS,
} from '#outcomes/decisions/contact-outcome.ts';
import { SCRIPTLESS_HOLD_MS } from '#campaigns/decisions/campaign-states.ts';

const ended = { callStatus: 'busy' as const, attemptCount: 1, maxRetries: 2, retryIntervalSeconds: 900, endedAt: 1_000_000 };

function decideRetry(attempt: EndedAttempt) {
  const { contactStatus, retryAt } = contactOutcome(attempt);
  return { contactStatus, retryAt };
}

describe('the outcome of an attempt for its contact', () => {
  test('redials 900 s after busy [D5.5]', () => {
    expect(decideRetry(ended)).toEqual({ contactStatus: 'failed', retryAt: 1_900_000 });
  });

  test('with an interval of 0 the retry is due at the end of the attempt [D5.3]', () => {
    expect(decideRetry({ ...ended, retryIntervalSeconds: 0 }).retryAt).toBe(1_000_000);
  });

  test('a contact has at most maxRetries + 1 attempts [D5.5]', () => {
    expect(attemptsAllowed(0)).toBe(1);
    expect(decideRetry({ ...ended, attemptCount: 2 }).retryAt).not.toBeNull();
    expect(decideRetry({ ...ended, attemptCount: 3 })).toEqual({ contactStatus: 'failed', retryAt: null });
    expect(decideRetry({ ...ended, attemptCount: 9 }).retryAt).toBeNull();
    expect(decideRetry({ ...ended, maxRetries: 0 }).retryAt).toBeNull();
  });

  test.each(CALL_STATUSES)('%s completes the contact only if a customer answered [D7.1]', callStatus => {
    const isAnswered = callStatus === 'answered' || callStatus === 'completed';
    if (callStatus === 'invalid_number') return;
    expect(decideRetry({ ...ended, callStatus })).toEqual(
      isAnswered ? { contactStatus: 'completed', retryAt: null } : { contactStatus: 'failed', retryAt: 1_900_000 },
    );
  });

  test('a verdict on the number ends the contact, even with retries left [D7.1]', () => {
    const over = { contactStatus: 'failed', retryAt: null, isUnreachable: true, isCounted: true };
    expect(contactOutcome({ ...ended, callStatus: 'invalid_number', maxRetries: 20 })).toMatchObject(over);
    expect(contactOutcome({ ...ended, callStatus: 'invalid_number', isOurFault: true })).toMatchObject({ isUnreachable: false });
    expect(contactOutcome({ ...ended, callStatus: 'out_of_service' })).toMatchObject({ isUnreachable: false, retryAt: 1_900_000 });
  });

  test('an unknown outcome is retried only if the campaign allows it and attempts remain [D7.8]', () => {
    const over = { contactStatus: 'failed', retryAt: null };
    expect(decideRetry({ ...ended, callStatus: null })).toEqual(over);
    expect(decideRetry({ ...ended, callStatus: null, retryUnknown: true })).toEqual({ contactStatus: 'failed', retryAt: 1_900_000 });
    expect(decideRetry({ ...ended, callStatus: null, retryUnknown: true, attemptCount: 3 })).toEqual(over);
  });

  test.each([null, 'failed', 'completed'] as const)(
    'a failure through our own fault (%s) is retried soon, even without retries left [D7.1]',
    callStatus => {
      const due = { contactStatus: 'failed', retryAt: 1_000_000 + OUR_FAULT_PAUSE_MS };
      expect(decideRetry({ ...ended, callStatus, isOurFault: true })).toEqual(due);
      expect(decideRetry({ ...ended, callStatus, isOurFault: true, maxRetries: 0 })).toEqual(due);
      expect(decideRetry({ ...ended, callStatus, isOurFault: true, attemptCount: 9 })).toEqual(due);
    },
  );

  test('a customer who answered and heard only an apology is called again after the retry interval, twice without using up a retry [D7.1]', () => {
    const unserved = { ...ended, callStatus: 'failed' as const, isOurFault: true, isUnserved: true, maxRetries: 0 };
    const again = { contactStatus: 'failed', retryAt: 1_900_000, isCounted: false };
    for (const unservedBefore of [0, 1]) expect(contactOutcome({ ...unserved, unservedBefore })).toMatchObject(again);
    expect(contactOutcome({ ...unserved, retryIntervalSeconds: 0 }).retryAt).toBe(1_000_000 + OUR_FAULT_PAUSE_MS);
    expect(contactOutcome({ ...unserved, unservedBefore: 2 })).toMatchObject({ retryAt: null, isCounted: true });
    expect(contactOutcome({ ...unserved, unservedBefore: 2, maxRetries: 1 })).toMatchObject({ retryAt: 1_900_000, isCounted: true });
    expect(contactOutcome({ ...unserved, isUnserved: false, unservedBefore: 9 })).toMatchObject({ isCounted: false });
  });

  test('an answered call without a result is retried only if the campaign allows it [D7.8]', () => {
    const missing = { ...ended, callStatus: 'completed' as const, isResultMissing: true };
    const over = { contactStatus: 'completed', retryAt: null };
    expect(decideRetry(missing)).toEqual(over);
    expect(decideRetry({ ...missing, retryAnsweredWithoutResult: false })).toEqual(over);
    expect(decideRetry({ ...missing, retryAnsweredWithoutResult: true })).toEqual({ contactStatus: 'failed', retryAt: 1_900_000 });
    expect(decideRetry({ ...missing, retryAnsweredWithoutResult: true, attemptCount: 3 })).toEqual({
      contactStatus: 'failed',
      retryAt: null,
    });
    expect(decideRetry({ ...missing, isResultMissing: false, retryAnsweredWithoutResult: true })).toEqual(over);
  });

  test('a dial without any response of the network costs no attempt, and is retried after the retry interval, at least 30 s [D7.1]', () => {
    const silent = { ...ended, callStatus: 'no_answer' as const, isSilent: true, maxRetries: 0 };
    const free = { contactStatus: 'failed', isCounted: false, isLineFault: true, silentRepeats: 1 };
    expect(contactOutcome(silent)).toMatchObject({ ...free, retryAt: 1_900_000 });
    expect(contactOutcome({ ...silent, retryIntervalSeconds: 0 })).toMatchObject({ ...free, retryAt: 1_000_000 + OUR_FAULT_PAUSE_MS });
  });

  test('a number without any response while others ring costs no attempt a few times, then each dial counts [D7.1]', () => {
    const silent = { ...ended, callStatus: 'no_answer' as const, isSilent: true, maxRetries: 0 };
    expect(contactOutcome({ ...silent, silentRepeats: MAX_SILENT_REPEATS - 1 })).toMatchObject({
      isCounted: false,
      silentRepeats: MAX_SILENT_REPEATS,
    });
    const counted = { contactStatus: 'failed', retryAt: null, isCounted: true, isLineFault: false, silentRepeats: 0 };
    expect(contactOutcome({ ...silent, silentRepeats: MAX_SILENT_REPEATS })).toMatchObject(counted);
    // No response on a line known to be dead says nothing about the number.
    const dead = { ...silent, silentRepeats: MAX_SILENT_REPEATS, isLineDead: true };
    expect(contactOutcome(dead)).toMatchObject({ isCounted: false, isLineFault: true, silentRepeats: MAX_SILENT_REPEATS });
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

  test('an attempt that failed through our fault is not counted; any other is [D5.6, D7.1]', () => {
    expect(contactOutcome({ ...ended, isOurFault: true })).toMatchObject({ isCounted: false, restsUntil: null });
    expect(contactOutcome(ended)).toMatchObject({ isCounted: true, restsUntil: null });
    expect(contactOutcome({ ...ended, callStatus: 'completed' })).toMatchObject({ isCounted: true, restsUntil: null });
  });

  test('a call that ended because there was no script keeps its contact pending for the retry interval, at least one minute [D5.6]', () => {
    const waiting = { contactStatus: 'pending', retryAt: null, isCounted: false };
    expect(contactOutcome({ ...ended, isScriptless: true })).toMatchObject({ ...waiting, restsUntil: 1_900_000 });
    const atOnce = contactOutcome({ ...ended, isScriptless: true, retryIntervalSeconds: 0 });
    expect(atOnce).toMatchObject({ ...waiting, restsUntil: 1_000_000 + SCRIPTLESS_HOLD_MS });
  });
});
