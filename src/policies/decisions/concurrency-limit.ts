import { readInteger } from './config-members.ts';
import { MAX_CAMPAIGN_CONCURRENCY, type PolicyKind } from './policy.ts';

/** Lowers the number of concurrent calls of a campaign. Source: OCS 4.9 */
export const concurrencyLimit: PolicyKind = {
  action: 'limit',
  label: '并发限制',
  read(config) {
    const maxConcurrency = readInteger(config, 'maxConcurrency', 1, MAX_CAMPAIGN_CONCURRENCY);
    if (!maxConcurrency.ok) return maxConcurrency;
    return { ok: true, value: { kind: 'limits', limits: { maxConcurrency: maxConcurrency.value } } };
  },
};
