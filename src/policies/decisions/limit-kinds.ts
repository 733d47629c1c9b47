import { problem } from '#kernel/problem.ts';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import {
  type ConfigMembers,
  fault,
  type FrequencyLimit,
  MAX_CALL_INTERVAL_MS,
  MAX_CAMPAIGN_CONCURRENCY,
  MAX_RETRIES,
  MAX_RETRY_INTERVAL_SECONDS,
  type PolicyKind,
  type PolicyLimits,
  type Read,
  readInteger,
} from './policy-kind.ts';

const MAX_FREQUENCY_DAYS = 366;
const MAX_FREQUENCY_ATTEMPTS = 10_000;

/**
 * The first instant from `at` on at which another dial stays within the limit.
 *
 * Units: UTC ms; `dialledAt` in any order. A dial counts until `days` × 24 h after it
 */
export function frequencyFreeAt(limit: FrequencyLimit, dialledAt: readonly number[], at: number): number {
  const spanMs = limit.days * MS_PER_DAY;
  const counted = dialledAt.filter(instant => instant > at - spanMs).toSorted((a, b) => a - b);
  const lastToLeave = counted[counted.length - limit.maxAttempts];
  return lastToLeave === undefined ? at : lastToLeave + spanMs;
}

const BOUNDS = { maxRetries: MAX_RETRIES, retryIntervalSeconds: MAX_RETRY_INTERVAL_SECONDS } as const;

function readOptional(config: ConfigMembers, member: keyof typeof BOUNDS): Read<number | null> {
  if (config[member] === undefined || config[member] === null) return { ok: true, value: null };
  return readInteger(config, member, 0, BOUNDS[member]);
}

/** Policy types that limit how often and how many. */
export const LIMIT_KINDS = {
  /** At most `maxAttempts` dials to a number in the last `days` × 24 h. Source: OCS 4.9, D8.4 */
  contact_frequency_limit: {
    action: 'limit',
    settings: 'ContactFrequencySettings',
    renamed: { days: 'withinDays' },
    read(config) {
      const days = readInteger(config, 'days', 1, MAX_FREQUENCY_DAYS);
      if (!days.ok) return days;
      const maxAttempts = readInteger(config, 'maxAttempts', 1, MAX_FREQUENCY_ATTEMPTS);
      if (!maxAttempts.ok) return maxAttempts;
      return { ok: true, value: { kind: 'frequency', limit: { days: days.value, maxAttempts: maxAttempts.value } } };
    },
  },
  /** Lengthens the pause between two calls of a campaign. Source: OCS 4.9 */
  rate_limit: {
    action: 'limit',
    settings: 'RateSettings',
    read(config) {
      const callIntervalMs = readInteger(config, 'callIntervalMs', 0, MAX_CALL_INTERVAL_MS);
      if (!callIntervalMs.ok) return callIntervalMs;
      return { ok: true, value: { kind: 'limits', limits: { callIntervalMs: callIntervalMs.value } } };
    },
  },
  /** Limits how often and how soon a contact is redialled; one of the two members may be absent. Source: OCS 4.9 */
  retry_rule: {
    action: 'limit',
    settings: 'RetrySettings',
    read(config) {
      const limits: Partial<PolicyLimits> = {};
      for (const member of ['maxRetries', 'retryIntervalSeconds'] as const) {
        const value = readOptional(config, member);
        if (!value.ok) return value;
        if (value.value !== null) limits[member] = value.value;
      }
      if (Object.keys(limits).length === 0) return fault('maxRetries', problem('missingTogether', { other: 'retryIntervalSeconds' }));
      return { ok: true, value: { kind: 'limits', limits } };
    },
  },
  /** Lowers the number of concurrent calls of a campaign. Source: OCS 4.9 */
  concurrency_limit: {
    action: 'limit',
    settings: 'ConcurrencySettings',
    read(config) {
      const maxConcurrency = readInteger(config, 'maxConcurrency', 1, MAX_CAMPAIGN_CONCURRENCY);
      if (!maxConcurrency.ok) return maxConcurrency;
      return { ok: true, value: { kind: 'limits', limits: { maxConcurrency: maxConcurrency.value } } };
    },
  },
} as const satisfies Record<string, PolicyKind>;
