import type { PolicyStore } from '#ports/policy-store.ts';
import type { Policy } from '#ports/records.ts';

/** Every policy, or those of one campaign, higher priority first. Source: OCS 4.9, D8.2 */
export function listPolicies(deps: { policies: Pick<PolicyStore, 'list'> }, campaignId: number | null): Promise<Policy[]> {
  return deps.policies.list(campaignId);
}
