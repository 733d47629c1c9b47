import { fault, readInteger } from './config-members.ts';
import { type ConfigMembers, MAX_RETRIES, MAX_RETRY_INTERVAL_SECONDS, type PolicyKind, type PolicyLimits, type Read } from './policy.ts';

const BOUNDS = { maxRetries: MAX_RETRIES, retryIntervalSeconds: MAX_RETRY_INTERVAL_SECONDS } as const;

/** Limits how often and how soon a contact is redialled; one of the two members may be absent. Source: OCS 4.9 */
export const retryRule: PolicyKind = {
  action: 'limit',
  label: '重试规则',
  read(config) {
    const limits: Partial<PolicyLimits> = {};
    for (const member of ['maxRetries', 'retryIntervalSeconds'] as const) {
      const value = readOptional(config, member);
      if (!value.ok) return value;
      if (value.value !== null) limits[member] = value.value;
    }
    if (Object.keys(limits).length === 0) return fault('maxRetries', '与 retryIntervalSeconds 不能同时缺少');
    return { ok: true, value: { kind: 'limits', limits } };
  },
};

function readOptional(config: ConfigMembers, member: keyof typeof BOUNDS): Read<number | null> {
  if (config[member] === undefined || config[member] === null) return { ok: true, value: null };
  return readInteger(config, member, 0, BOUNDS[member]);
}
