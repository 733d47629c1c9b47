import type { PolicyRow } from '#contract/rest/policies.ts';
import type { Policy } from '#ports/records.ts';
import { presentInstant } from './instant.ts';

/** Source: OCS 2.9 */
export function presentPolicy(policy: Policy): PolicyRow {
  return {
    id: policy.id,
    name: policy.name,
    scope: policy.scope,
    campaignId: policy.campaignId,
    type: policy.type,
    action: policy.action,
    priority: policy.priority,
    config: policy.config,
    isEnabled: policy.isEnabled ? 1 : 0,
    createdAt: presentInstant(policy.createdAt),
    updatedAt: presentInstant(policy.updatedAt),
  };
}
