import { MS_PER_DAY } from '#kernel/calendar.ts';
import { readInteger } from './config-members.ts';
import type { FrequencyLimit, PolicyKind } from './policy.ts';

export const MAX_FREQUENCY_DAYS = 366;
const MAX_FREQUENCY_ATTEMPTS = 10_000;

/** At most `maxAttempts` dials to a number in the last `days` × 24 h. Source: OCS 4.9, D8.4 */
export const contactFrequencyLimit: PolicyKind = {
  action: 'limit',
  label: '联系频次限制',
  read(config) {
    const days = readInteger(config, 'days', 1, MAX_FREQUENCY_DAYS);
    if (!days.ok) return days;
    const maxAttempts = readInteger(config, 'maxAttempts', 1, MAX_FREQUENCY_ATTEMPTS);
    if (!maxAttempts.ok) return maxAttempts;
    return { ok: true, value: { kind: 'frequency', limit: { days: days.value, maxAttempts: maxAttempts.value } } };
  },
};

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
