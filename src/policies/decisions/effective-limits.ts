import type { PolicyLimits } from './policy.ts';
import type { PreparedPolicies } from './prepare-policies.ts';

/**
 * The strictest of the campaign's own limits and every limit policy: lowest concurrency and retries, longest intervals.
 *
 * Source: D8.3
 */
export function effectiveLimits(campaign: PolicyLimits, prepared: PreparedPolicies): PolicyLimits {
  return prepared.entries.reduce((limits, { effect }) => (effect?.kind === 'limits' ? stricter(limits, effect.limits) : limits), {
    maxConcurrency: campaign.maxConcurrency,
    maxRetries: campaign.maxRetries,
    retryIntervalSeconds: campaign.retryIntervalSeconds,
    callIntervalMs: campaign.callIntervalMs,
  });
}

function stricter(a: PolicyLimits, b: Partial<PolicyLimits>): PolicyLimits {
  return {
    maxConcurrency: Math.min(a.maxConcurrency, b.maxConcurrency ?? Infinity),
    maxRetries: Math.min(a.maxRetries, b.maxRetries ?? Infinity),
    retryIntervalSeconds: Math.max(a.retryIntervalSeconds, b.retryIntervalSeconds ?? 0),
    callIntervalMs: Math.max(a.callIntervalMs, b.callIntervalMs ?? 0),
  };
}
