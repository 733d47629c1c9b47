import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { campaignClosesAt, campaignOpensAt, decideDial, type DialQuestion } from '#dialling/decisions/assess.ts';
import { prepareWindow } from '#policies/decisions/calling-window.ts';
import { campaignPolicy, LIMITS, policy, prepared } from '../policies/builders.ts';
import { DAY, HOUR, local, MINUTE, NEW_YORK, SHANGHAI } from '#test/support/zones.ts';
import { NO_WINDOW } from '#test/support/no-window.ts';

const AT = local(SHANGHAI, '2026-02-17T10:00');
const office = prepareWindow({ ...NO_WINDOW, workdayStart: '09:00', workdayEnd: '18:00' });
const contact = { dialKey: '+8613800138000', isPaused: false, attemptCount: 0, lastEndedAt: null };

function question(changes: Partial<DialQuestion> = {}): DialQuestion {
  return {
    campaign: { ...LIMITS, window: office },
    policies: prepared(),
    contact,
    doNotCall: null,
    recentAttempts: () => [],
    at: AT,
    zones: [SHANGHAI],
    ...changes,
  };
}

const decide = (changes: Partial<DialQuestion> = {}) => decideDial(question(changes));
const blacklist = policy('phone_blacklist', { numbers: ['13800138000'] }, { name: '黑名单' });
const noon = policy('daily_window', { start: '12:00', end: '13:00' }, { id: 3 });

describe('decideDial', () => {
  test('admits a contact that no rule excludes [D7.10]', () => {
    expect(decide()).toEqual({ admit: true });
  });

  test('refuses a destination with characters that are not part of a number, so it never reaches the switch [D4.5]', () => {
    expect(decide({ contact: { ...contact, dialKey: '138\n0013' } })).toEqual({
      admit: false,
      reason: 'invalid_number',
      detail: null,
      nextEligibleAt: null,
    });
  });

  test('refuses emergency numbers and service codes in every campaign [D4.6]', () => {
    expect(decide({ isShortCode: true })).toEqual({ admit: false, reason: 'short_code', detail: null, nextEligibleAt: null });
  });

  test('stops after maxRetries + 1 attempts, including a stricter policy [D5.5, D8.3]', () => {
    const tired = { ...contact, attemptCount: LIMITS.maxRetries + 1, lastEndedAt: AT - DAY };
    expect(decide({ contact: tired })).toMatchObject({ admit: false, reason: 'attempts_exhausted', nextEligibleAt: null });
    const once = { ...contact, attemptCount: 1, lastEndedAt: AT - DAY };
    expect(decide({ contact: once })).toEqual({ admit: true });
    expect(decide({ contact: once, policies: prepared(policy('retry_rule', { maxRetries: 0 })) })).toMatchObject({
      reason: 'attempts_exhausted',
    });
  });

  test('a do-not-call entry excludes the contact until it expires [D8.7]', () => {
    expect(decide({ doNotCall: { expiresAt: null } })).toMatchObject({ admit: false, reason: 'dnc', nextEligibleAt: null });
    expect(decide({ doNotCall: { expiresAt: AT + HOUR } })).toMatchObject({ reason: 'dnc', nextEligibleAt: AT + HOUR });
    expect(decide({ doNotCall: { expiresAt: AT + 1 } })).toMatchObject({ reason: 'dnc' });
    expect(decide({ doNotCall: { expiresAt: AT } })).toEqual({ admit: true });
  });

  test('a contact whose entry expires at night is eligible the next morning', () => {
    const decision = decide({ doNotCall: { expiresAt: local(SHANGHAI, '2026-02-17T22:00') } });
    expect(decision).toMatchObject({ nextEligibleAt: local(SHANGHAI, '2026-02-18T09:00') });
  });

  test('a number list refuses the contact and names its policy [D7.10]', () => {
    expect(decide({ policies: prepared(blacklist) })).toEqual({
      admit: false,
      reason: 'blacklist',
      detail: '策略「黑名单」：号码被禁止外呼',
      nextEligibleAt: null,
    });
  });

  test('the number list is named even if a closed window refuses first', () => {
    expect(decide({ policies: prepared(noon, { ...blacklist, priority: -1 }) })).toMatchObject({
      reason: 'blacklist',
      nextEligibleAt: null,
    });
  });

  test('the campaign window and every policy window must be open [D5.3, D8.3]', () => {
    expect(decide({ at: local(SHANGHAI, '2026-02-17T18:00') })).toMatchObject({
      reason: 'outside_window',
      detail: null,
      nextEligibleAt: local(SHANGHAI, '2026-02-18T09:00'),
    });
    expect(decide({ policies: prepared(noon) })).toMatchObject({
      reason: 'outside_window',
      detail: expect.stringContaining('不在可呼时段内'),
      nextEligibleAt: local(SHANGHAI, '2026-02-17T12:00'),
    });
    const night = policy('daily_window', { start: '18:00', end: '20:00' });
    expect(decide({ policies: prepared(night) })).toMatchObject({ reason: 'outside_window', nextEligibleAt: null });
  });

  test('after a blocked date the contact is eligible at the next working hour [D8.1]', () => {
    expect(decide({ policies: prepared(policy('blocked_dates', { dates: ['2026-02-17'] })) })).toMatchObject({
      reason: 'blocked_date',
      nextEligibleAt: local(SHANGHAI, '2026-02-18T09:00'),
    });
  });

  test('a frequency limit applies until the oldest dial is out of its period, then the window applies [D8.4]', () => {
    const limit = prepared(campaignPolicy('contact_frequency_limit', { days: 1, maxAttempts: 1 }));
    expect(decide({ policies: limit, recentAttempts: () => [AT - HOUR] })).toMatchObject({
      reason: 'frequency_cap',
      nextEligibleAt: local(SHANGHAI, '2026-02-18T09:00'),
    });
    expect(decide({ policies: limit, recentAttempts: () => [AT - DAY] })).toEqual({ admit: true });
  });

  test('a retry waits for the longer of both intervals; a reset contact does not wait [D5.5, D8.3]', () => {
    const retried = { ...contact, attemptCount: 1, lastEndedAt: AT - 299_000 };
    expect(decide({ contact: retried })).toMatchObject({ reason: 'retry_wait', nextEligibleAt: AT + 1_000 });
    expect(decide({ contact: { ...retried, lastEndedAt: AT - 300_000 } })).toEqual({ admit: true });
    const slower = prepared(policy('retry_rule', { retryIntervalSeconds: 3_600 }));
    expect(decide({ contact: retried, policies: slower })).toMatchObject({ nextEligibleAt: AT - 299_000 + HOUR });
    expect(decide({ contact: { ...retried, attemptCount: 0 } })).toEqual({ admit: true });
  });

  test('a paused contact has no next eligible time [D7.10]', () => {
    expect(decide({ contact: { ...contact, isPaused: true } })).toMatchObject({ reason: 'paused', nextEligibleAt: null });
  });

  test('slots are checked last, and give the next eligible time if it is known [D7.10]', () => {
    expect(decide({ slotRefusal: { reason: 'interval', nextEligibleAt: AT + 500 } })).toMatchObject({
      reason: 'interval',
      nextEligibleAt: AT + 500,
    });
    expect(decide({ slotRefusal: { reason: 'line_full', nextEligibleAt: null } })).toMatchObject({
      reason: 'line_full',
      nextEligibleAt: null,
    });
    expect(decide({ slotRefusal: { reason: 'line_full', nextEligibleAt: null }, at: AT + DAY / 2 })).toMatchObject({
      reason: 'outside_window',
      nextEligibleAt: local(SHANGHAI, '2026-02-18T09:00'),
    });
    expect(decide({ slotRefusal: null })).toEqual({ admit: true });
  });

  test('an invalid campaign window admits no contact [D5.3]', () => {
    const window = prepareWindow({ ...NO_WINDOW, workdayStart: '09:00' });
    expect(decide({ campaign: { ...LIMITS, window } })).toMatchObject({ reason: 'outside_window', nextEligibleAt: null });
  });

  test('a contact is admitted at its next eligible time and not before [D7.10]', () => {
    const limited = [
      noon,
      policy('contact_frequency_limit', { days: 2, maxAttempts: 2 }),
      policy('blocked_dates', { dates: ['2026-03-08'] }),
    ];
    fc.assert(
      fc.property(
        fc.record({
          at: fc.integer({ min: 0, max: 4 * 24 * 60 }).map(minutes => Date.UTC(2026, 2, 6) + minutes * MINUTE),
          zones: fc.constantFrom([SHANGHAI], [NEW_YORK], [SHANGHAI, 'Australia/Eucla']),
          policies: fc.subarray(limited).map(list => prepared(...list)),
          dncHours: fc.option(fc.integer({ min: -5, max: 60 })),
          retryMinutes: fc.integer({ min: 0, max: 10 }),
          dialsAgo: fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 4 }),
        }),
        ({ at, zones, policies, dncHours, retryMinutes, dialsAgo }) => {
          const asked = question({
            at,
            zones,
            policies,
            doNotCall: dncHours === null ? null : { expiresAt: at + dncHours * HOUR },
            contact: { ...contact, attemptCount: 1, lastEndedAt: at - retryMinutes * MINUTE },
            recentAttempts: () => dialsAgo.map(hours => at - hours * HOUR),
          });
          const decision = decideDial(asked);
          if (decision.admit) return;
          const { nextEligibleAt } = decision;
          if (nextEligibleAt === null) throw new Error('every one of these rules ends by itself');
          expect(decideDial({ ...asked, at: nextEligibleAt })).toEqual({ admit: true });
          const samples = Array.from({ length: Math.ceil((nextEligibleAt - at) / (20 * MINUTE)) }, (_, index) => at + index * 20 * MINUTE);
          expect(samples.filter(t => decideDial({ ...asked, at: t }).admit)).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the opening time of a campaign', () => {
  const planned = prepareWindow({ workdayStart: '09:00', workdayEnd: '18:00', scheduledStartAt: AT, scheduledEndAt: AT + DAY });

  test('is when campaign window and policies are both open, within the planned range [D5.3, D8.3]', () => {
    expect(campaignOpensAt(planned, prepared(noon), AT - DAY, [SHANGHAI])).toBe(local(SHANGHAI, '2026-02-17T12:00'));
    expect(campaignOpensAt(planned, prepared(noon), local(SHANGHAI, '2026-02-17T13:00'), [SHANGHAI])).toBeNull();
    expect(campaignOpensAt(planned, prepared(), AT, [SHANGHAI])).toBe(AT);
    const endsAtOpening = { ...planned, endsAt: local(SHANGHAI, '2026-02-18T09:00') };
    expect(campaignOpensAt(endsAtOpening, prepared(), local(SHANGHAI, '2026-02-17T18:00'), [SHANGHAI])).toBeNull();
  });

  test('ends with the earliest of them', () => {
    expect(campaignClosesAt(planned, prepared(), AT, [SHANGHAI])).toBe(local(SHANGHAI, '2026-02-17T18:00'));
    expect(campaignClosesAt(planned, prepared(), AT + DAY - 1, [SHANGHAI])).toBe(AT + DAY);
    expect(campaignClosesAt(planned, prepared(noon), AT, [SHANGHAI])).toBeNull();
    expect(campaignClosesAt(planned, prepared(), AT - 1, [SHANGHAI])).toBeNull();
    expect(campaignClosesAt(prepareWindow(NO_WINDOW), prepared(), AT, [SHANGHAI])).toBeNull();
  });
});
