import { notFound } from '#kernel/errors.ts';
import type { PolicyStore } from '#ports/policy-store.ts';
import type { Policy } from '#ports/records.ts';
import type { Wake } from '#ports/wake.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';

export interface DeletePolicyDeps extends AuditDeps {
  policies: Pick<PolicyStore, 'remove'>;
  wake: Wake;
}

/**
 * Errors: NOT_FOUND
 * Source: OCS 4.9, D8.6
 */
export async function deletePolicy(deps: DeletePolicyDeps, caller: Caller, policyId: number): Promise<Policy> {
  const policy = await deps.policies.remove(policyId);
  if (policy === null) throw notFound('外呼策略');
  await audit(deps, caller, {
    action: 'policy.deleted',
    targetType: 'policy',
    targetId: policyId,
    summary: `删除外呼策略「${policy.name}」`,
    detail: { type: policy.type, scope: policy.scope, campaignId: policy.campaignId },
  });
  deps.wake.campaign(policy.campaignId);
  return policy;
}
