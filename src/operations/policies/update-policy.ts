import { notFound } from '#kernel/errors.ts';
import { type Changes, overlay } from '#kernel/overlay.ts';
import type { PolicyFields, PolicyStore } from '#ports/policy-store.ts';
import type { Policy } from '#ports/records.ts';
import type { Wake } from '#ports/wake.ts';
import { type AuditDeps, auditChange } from '../access/audit.ts';
import { changeOf } from '../access/audited-change.ts';
import type { Caller } from '../access/caller.ts';
import { campaignMissing, validPolicy } from './policy-input.ts';

export interface UpdatePolicyDeps extends AuditDeps {
  policies: Pick<PolicyStore, 'update'>;
  wake: Wake;
}

/**
 * Takes any subset; what results must be a whole valid policy.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT naming the member
 * Source: OCS 4.9, D8.2, D8.6
 */
export async function updatePolicy(
  deps: UpdatePolicyDeps,
  caller: Caller,
  policyId: number,
  changes: Changes<PolicyFields>,
): Promise<Policy> {
  const update = await deps.policies.update(policyId, current => validPolicy(overlay(fieldsOf(current), changes)));
  if (update === null) throw notFound('外呼策略');
  if (update === 'no_campaign') throw campaignMissing();
  const { before, after } = update;
  const entry = { action: 'policy.updated', targetType: 'policy', targetId: policyId, summary: `修改外呼策略「${after.name}」` } as const;
  await auditChange(deps, caller, entry, changeOf(before, after));
  deps.wake.campaign(before.campaignId === after.campaignId ? after.campaignId : null);
  return after;
}

function fieldsOf({ id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields }: Policy): PolicyFields {
  return fields;
}
