import { type CalloutError, invalidArgument } from '#kernel/errors.ts';
import type { PolicyFields } from '#ports/policy-store.ts';
import { policyFault } from '#rules/policies/policy-table.ts';

/**
 * A whole policy as it may be stored; a global one names no campaign.
 *
 * Errors: INVALID_ARGUMENT naming the member: `action`, `config.start`
 * Source: OCS 2.9, D8.2
 */
export function validPolicy(fields: PolicyFields): PolicyFields {
  const fault = policyFault(fields);
  if (fault) throw invalidArgument(fault.field, fault.problem);
  return fields.scope === 'global' ? { ...fields, campaignId: null } : fields;
}

export function campaignMissing(): CalloutError {
  return invalidArgument('campaignId', '对应的活动不存在');
}
