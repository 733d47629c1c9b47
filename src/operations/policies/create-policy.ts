import type { PolicyFields, PolicyStore } from '#ports/policy-store.ts';
import type { Policy } from '#ports/records.ts';
import type { Wake } from '#ports/wake.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import { campaignMissing, validPolicy } from './policy-input.ts';

export interface CreatePolicyDeps extends AuditDeps {
  policies: Pick<PolicyStore, 'create'>;
  wake: Wake;
}

/**
 * Errors: INVALID_ARGUMENT naming the member when action or config do not fit the type, or the campaign does not exist
 * Source: OCS 2.9, 4.9, D8.2, D8.6
 */
export async function createPolicy(deps: CreatePolicyDeps, caller: Caller, input: PolicyFields): Promise<Policy> {
  const policy = await deps.policies.create(validPolicy(input));
  if (policy === 'no_campaign') throw campaignMissing();
  await audit(deps, caller, {
    action: 'policy.created',
    targetType: 'policy',
    targetId: policy.id,
    summary: `新建外呼策略「${policy.name}」`,
    detail: { type: policy.type, scope: policy.scope, campaignId: policy.campaignId, isEnabled: policy.isEnabled },
  });
  deps.wake.campaign(policy.campaignId);
  return policy;
}
