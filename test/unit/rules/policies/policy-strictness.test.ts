import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { evaluatePolicies } from '#policies/decisions/evaluate.ts';
import type { Policy, PolicyType } from '#policies/decisions/policy-kind.ts';
import { campaignPolicy, LIMITS, policy, prepared } from './builders.ts';
import { DAY, MINUTE, NEW_YORK, SHANGHAI } from '../zones.ts';

/** Start of the tested days, which include a clock change of New York. */
const START = Date.UTC(2026, 2, 6);

const minuteText = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const date = fc.integer({ min: -1, max: 6 }).map(offset => new Date(START + offset * DAY).toISOString().slice(0, 10));
const monthDay = date.map(text => text.slice(5));
const dates = fc.array(date, { maxLength: 3 });
const listed = fc.constantFrom('13800138000', '17012345678', '95588');
const prefix = fc.constantFrom('138', '170', '+86138', '9');
/**
 * A window `[from, to)` of at most a day, the same window narrowed at both ends, and whether the narrowed one starts after midnight, on the
 * next day.
 */
const hours = fc
  .record({ from: fc.nat(1_400), length: fc.integer({ min: 2, max: 1_438 }), cutStart: fc.nat(1_438), cutEnd: fc.nat(1_438) })
  .map(({ from, length, cutStart, cutEnd }) => {
    const start = cutStart % (length - 1);
    const kept = 1 + ((length - start - 1) * cutEnd) / 1_438;
    const at = (minute: number) => minuteText(Math.floor(minute) % 1_440);
    return [
      { start: at(from), end: at(from + length) },
      { start: at(from + start), end: at(from + start + kept) },
      from + start >= 1_440,
    ] as const;
  });

interface Question {
  at: number;
  zone: string;
  phoneNumber: string;
  dialsAgo: number[];
}

type Pair = readonly [loose: object, strict: object];

/** A config and a stricter one for every policy type. */
const STRICTER: Record<PolicyType, fc.Arbitrary<Pair>> = {
  blocked_dates: fc.tuple(dates, dates).map(([few, more]) => [{ dates: few }, { dates: [...few, ...more] }]),
  holiday_blocklist: fc
    .record({ days: dates, yearly: fc.array(monthDay, { maxLength: 2 }), workdays: dates, extra: date, dropped: fc.nat(3) })
    .map(({ days, yearly, workdays, extra, dropped }) => [
      { dates: days, recurringDates: yearly, workdayOverrides: workdays },
      { dates: [...days, extra], recurringDates: yearly, workdayOverrides: workdays.slice(dropped) },
    ]),
  daily_window: hours.map(([loose, strict]) => [loose, strict]),
  weekly_window: fc
    .tuple(hours, fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1 }), fc.nat(7))
    .map(([[loose, strict, isNextDay], days, dropped]) => {
      const kept = days.slice(dropped % days.length);
      return [
        { ...loose, days },
        { ...strict, days: isNextDay ? kept.map(day => (day % 7) + 1) : kept },
      ];
    }),
  phone_blacklist: fc
    .tuple(fc.array(listed, { maxLength: 2 }), listed)
    .map(([few, extra]) => [{ numbers: few }, { numbers: [...few, extra] }]),
  phone_prefix_blocklist: fc
    .tuple(fc.array(prefix, { maxLength: 2 }), prefix)
    .map(([few, extra]) => [{ prefixes: few }, { prefixes: [...few, extra] }]),
  contact_frequency_limit: fc
    .record({ days: fc.integer({ min: 1, max: 4 }), most: fc.integer({ min: 1, max: 4 }), more: fc.nat(2), fewer: fc.nat(3) })
    .map(({ days, most, more, fewer }) => [
      { days, maxAttempts: most },
      { days: days + more, maxAttempts: Math.max(1, most - fewer) },
    ]),
  rate_limit: fc.tuple(fc.nat(5_000), fc.nat(5_000)).map(([ms, more]) => [{ callIntervalMs: ms }, { callIntervalMs: ms + more }]),
  retry_rule: fc
    .record({ retries: fc.nat(20), seconds: fc.nat(900), fewer: fc.nat(20), later: fc.nat(900) })
    .map(({ retries, seconds, fewer, later }) => [
      { maxRetries: retries, retryIntervalSeconds: seconds },
      { maxRetries: Math.max(0, retries - fewer), retryIntervalSeconds: seconds + later },
    ]),
  concurrency_limit: fc
    .tuple(fc.integer({ min: 1, max: 30 }), fc.nat(30))
    .map(([most, fewer]) => [{ maxConcurrency: most }, { maxConcurrency: Math.max(1, most - fewer) }]),
};

const TYPES = Object.keys(STRICTER) as PolicyType[];
const inScope = (type: PolicyType, config: object, isCampaign: boolean): Policy =>
  isCampaign ? campaignPolicy(type, config, { id: 50 }) : policy(type, config, { id: 51 });

/** Other policies in both scopes. Windows are left out, because a second window in the same scope would allow more (D8.3). */
const others = fc.array(
  fc
    .constantFrom(...TYPES.filter(type => type !== 'daily_window' && type !== 'weekly_window'))
    .chain(type => fc.tuple(STRICTER[type], fc.boolean()).map(([[config], isCampaign]) => inScope(type, config, isCampaign))),
  { maxLength: 3 },
);
const question: fc.Arbitrary<Question> = fc.record({
  at: fc.integer({ min: 0, max: 5 * 24 * 60 * 60 }).map(seconds => START + seconds * 1_000),
  zone: fc.constantFrom(SHANGHAI, NEW_YORK),
  phoneNumber: fc.constantFrom('13800138000', '+86 170 1234 5678', '95588', '13911112222'),
  dialsAgo: fc.array(fc.nat(5 * 24 * 60), { maxLength: 5 }),
});

function decide(policies: Policy[], { dialsAgo, phoneNumber, ...asked }: Question) {
  const recentAttempts = () => dialsAgo.map(minutes => asked.at - minutes * MINUTE);
  return evaluatePolicies({
    ...asked,
    dialKey: dialKey(phoneNumber, 'CN'),
    policies: prepared(...policies),
    campaign: LIMITS,
    recentAttempts,
  });
}

describe('a stricter policy never allows more, for every type and both scopes [OCS 4.9, D8.3]', () => {
  test.each(TYPES)('%s', type => {
    fc.assert(
      fc.property(others, STRICTER[type], fc.boolean(), question, (beside, [loose, strict], isCampaign, asked) => {
        const loosely = decide([...beside, inScope(type, loose, isCampaign)], asked);
        const strictly = decide([...beside, inScope(type, strict, isCampaign)], asked);
        if (strictly.allowed) expect(loosely.allowed).toBe(true);
        expect(strictly.effectiveLimits.maxConcurrency).toBeLessThanOrEqual(loosely.effectiveLimits.maxConcurrency);
        expect(strictly.effectiveLimits.maxRetries).toBeLessThanOrEqual(loosely.effectiveLimits.maxRetries);
        expect(strictly.effectiveLimits.retryIntervalSeconds).toBeGreaterThanOrEqual(loosely.effectiveLimits.retryIntervalSeconds);
        expect(strictly.effectiveLimits.callIntervalMs).toBeGreaterThanOrEqual(loosely.effectiveLimits.callIntervalMs);
      }),
      { numRuns: 400 },
    );
  });
});

test.each(TYPES)('a second %s in the other scope never allows more than one alone [OCS 4.9 "both must pass"]', type => {
  fc.assert(
    fc.property(STRICTER[type], question, ([one, two], asked) => {
      const alone = decide([inScope(type, one, false)], asked);
      const both = decide([inScope(type, one, false), inScope(type, two, true)], asked);
      if (both.allowed) expect(alone.allowed).toBe(true);
      expect(both.effectiveLimits.maxConcurrency).toBeLessThanOrEqual(alone.effectiveLimits.maxConcurrency);
      expect(both.effectiveLimits.callIntervalMs).toBeGreaterThanOrEqual(alone.effectiveLimits.callIntervalMs);
    }),
    { numRuns: 200 },
  );
});
