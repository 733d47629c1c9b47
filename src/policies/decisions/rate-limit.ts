import { readInteger } from './config-members.ts';
import { MAX_CALL_INTERVAL_MS, type PolicyKind } from './policy.ts';

/** Lengthens the pause between two calls of a campaign. Source: OCS 4.9 */
export const rateLimit: PolicyKind = {
  action: 'limit',
  label: '呼叫间隔限制',
  read(config) {
    const callIntervalMs = readInteger(config, 'callIntervalMs', 0, MAX_CALL_INTERVAL_MS);
    if (!callIntervalMs.ok) return callIntervalMs;
    return { ok: true, value: { kind: 'limits', limits: { callIntervalMs: callIntervalMs.value } } };
  },
};
