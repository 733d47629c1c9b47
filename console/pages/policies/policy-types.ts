import type { PolicyRowFragment } from './policies.generated.ts';

export type PolicyType = PolicyRowFragment['type'];

/** In the order of the form and the filter: the most used first. */
export const POLICY_TYPES = [
  'DAILY_WINDOW',
  'WEEKLY_WINDOW',
  'HOLIDAY_BLOCKLIST',
  'BLOCKED_DATES',
  'CONTACT_FREQUENCY_LIMIT',
  'PHONE_BLACKLIST',
  'PHONE_PREFIX_BLOCKLIST',
  'CONCURRENCY_LIMIT',
  'RATE_LIMIT',
  'RETRY_RULE',
] as const satisfies readonly PolicyType[];

export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
