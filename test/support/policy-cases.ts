import * as fc from 'fast-check';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import type { PolicyType } from '#policies/decisions/policy-table.ts';

/** Start of the tested days, which include a clock change of New York. */
export const POLICY_DAYS_START = Date.UTC(2026, 2, 6);

const minuteText = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const date = fc.integer({ min: -1, max: 6 }).map(offset => new Date(POLICY_DAYS_START + offset * MS_PER_DAY).toISOString().slice(0, 10));
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

interface PolicyCase {
  action: 'block' | 'allow_window' | 'limit';
  /** A config as the interface documents it. */
  documented: Record<string, unknown>;
  /** A config, and what GraphQL answers as its settings. */
  stored: Record<string, unknown>;
  settings: { __typename: string } & Record<string, unknown>;
  stricter: fc.Arbitrary<Pair>;
}

/** A config and a stricter one. */
export type Pair = readonly [loose: object, strict: object];

/** Samples of each policy type for the tests of policies; a new type gets its row here. */
export const POLICY_CASES: Readonly<Record<PolicyType, PolicyCase>> = {
  blocked_dates: {
    action: 'block',
    documented: { dates: ['2026-02-17'] },
    stored: { dates: ['2026-10-01'] },
    settings: { __typename: 'BlockedDatesSettings', dates: ['2026-10-01'] },
    stricter: fc.tuple(dates, dates).map(([few, more]) => [{ dates: few }, { dates: [...few, ...more] }]),
  },
  holiday_blocklist: {
    action: 'block',
    documented: { dates: ['2026-02-17'], recurringDates: ['10-01', '02-29'], workdayOverrides: ['2026-02-28'], region: 'CN' },
    stored: { recurringDates: ['10-01'], region: 'CN' },
    settings: { __typename: 'HolidaySettings', dates: [], recurringDates: ['10-01'], workdayOverrides: [], region: 'CN' },
    stricter: fc
      .record({ days: dates, yearly: fc.array(monthDay, { maxLength: 2 }), workdays: dates, extra: date, dropped: fc.nat(3) })
      .map(({ days, yearly, workdays, extra, dropped }) => [
        { dates: days, recurringDates: yearly, workdayOverrides: workdays },
        { dates: [...days, extra], recurringDates: yearly, workdayOverrides: workdays.slice(dropped) },
      ]),
  },
  daily_window: {
    action: 'allow_window',
    documented: { start: '09:00', end: '18:00' },
    stored: { start: '09:00', end: '18:00' },
    settings: { __typename: 'DailyWindowSettings', start: '09:00', end: '18:00' },
    stricter: hours.map(([loose, strict]) => [loose, strict]),
  },
  weekly_window: {
    action: 'allow_window',
    documented: { days: [0, 1, 7], start: '22:00', end: '02:00' },
    stored: { days: [1, 2], start: '09:00', end: '18:00' },
    settings: { __typename: 'WeeklyWindowSettings', days: [1, 2], start: '09:00', end: '18:00' },
    stricter: fc
      .tuple(hours, fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1 }), fc.nat(7))
      .map(([[loose, strict, isNextDay], days, dropped]) => {
        const kept = days.slice(dropped % days.length);
        return [
          { ...loose, days },
          { ...strict, days: isNextDay ? kept.map(day => (day % 7) + 1) : kept },
        ];
      }),
  },
  phone_blacklist: {
    action: 'block',
    documented: { numbers: ['+86 138-0013-8000'] },
    stored: { numbers: ['13900000001'] },
    settings: { __typename: 'PhoneBlacklistSettings', numbers: ['13900000001'], count: 1 },
    stricter: fc.tuple(fc.array(listed, { maxLength: 2 }), listed).map(([few, extra]) => [{ numbers: few }, { numbers: [...few, extra] }]),
  },
  phone_prefix_blocklist: {
    action: 'block',
    documented: { prefixes: ['170', '+852'] },
    stored: { prefixes: ['170'] },
    settings: { __typename: 'PhonePrefixSettings', prefixes: ['170'] },
    stricter: fc
      .tuple(fc.array(prefix, { maxLength: 2 }), prefix)
      .map(([few, extra]) => [{ prefixes: few }, { prefixes: [...few, extra] }]),
  },
  contact_frequency_limit: {
    action: 'limit',
    documented: { days: 7, maxAttempts: 3 },
    stored: { days: 7, maxAttempts: 3 },
    settings: { __typename: 'ContactFrequencySettings', withinDays: 7, maxAttempts: 3 },
    stricter: fc
      .record({ days: fc.integer({ min: 1, max: 4 }), most: fc.integer({ min: 1, max: 4 }), more: fc.nat(2), fewer: fc.nat(3) })
      .map(({ days, most, more, fewer }) => [
        { days, maxAttempts: most },
        { days: days + more, maxAttempts: Math.max(1, most - fewer) },
      ]),
  },
  rate_limit: {
    action: 'limit',
    documented: { callIntervalMs: 0 },
    stored: { callIntervalMs: 100 },
    settings: { __typename: 'RateSettings', callIntervalMs: 100 },
    stricter: fc.tuple(fc.nat(5_000), fc.nat(5_000)).map(([ms, more]) => [{ callIntervalMs: ms }, { callIntervalMs: ms + more }]),
  },
  retry_rule: {
    action: 'limit',
    documented: { maxRetries: 0, retryIntervalSeconds: 2_592_000 },
    stored: { maxRetries: 2 },
    settings: { __typename: 'RetrySettings', maxRetries: 2, retryIntervalSeconds: null },
    stricter: fc
      .record({ retries: fc.nat(20), seconds: fc.nat(900), fewer: fc.nat(20), later: fc.nat(900) })
      .map(({ retries, seconds, fewer, later }) => [
        { maxRetries: retries, retryIntervalSeconds: seconds },
        { maxRetries: Math.max(0, retries - fewer), retryIntervalSeconds: seconds + later },
      ]),
  },
  concurrency_limit: {
    action: 'limit',
    documented: { maxConcurrency: 1 },
    stored: { maxConcurrency: 3 },
    settings: { __typename: 'ConcurrencySettings', maxConcurrency: 3 },
    stricter: fc
      .tuple(fc.integer({ min: 1, max: 30 }), fc.nat(30))
      .map(([most, fewer]) => [{ maxConcurrency: most }, { maxConcurrency: Math.max(1, most - fewer) }]),
  },
  consent_required: {
    action: 'block',
    documented: { purpose: 'marketing' },
    stored: { purpose: 'marketing' },
    settings: { __typename: 'ConsentRequiredSettings', purpose: 'marketing' },
    stricter: fc.constantFrom('marketing', 'survey').map(purpose => [{ purpose }, { purpose }]),
  },
  abandonment_limit: {
    action: 'limit',
    documented: { hours: 720, maxPercent: 3 },
    stored: { hours: 24, maxPercent: 3 },
    settings: { __typename: 'AbandonmentLimitSettings', hours: 24, maxPercent: 3 },
    stricter: fc
      .record({ hours: fc.integer({ min: 1, max: 744 }), percent: fc.integer({ min: 1, max: 100 }), fewer: fc.nat(99) })
      .map(({ hours, percent, fewer }) => [
        { hours, maxPercent: percent },
        { hours, maxPercent: Math.max(1, percent - fewer) },
      ]),
  },
  abandoned_rest: {
    action: 'limit',
    documented: { hours: 72 },
    stored: { hours: 72 },
    settings: { __typename: 'AbandonedRestSettings', hours: 72 },
    stricter: fc.tuple(fc.integer({ min: 1, max: 372 }), fc.nat(372)).map(([hours, more]) => [{ hours }, { hours: hours + more }]),
  },
};
