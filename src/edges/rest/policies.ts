import { toInstant } from '#contract/rest/instant.ts';
import {
  createPolicyRoute,
  deletePolicyRoute,
  evaluatePoliciesRoute,
  listPoliciesRoute,
  updatePolicyRoute,
} from '#contract/rest/policies.ts';
import { type CreatePolicyDeps, createPolicy } from '#operations/policies/create-policy.ts';
import { type DeletePolicyDeps, deletePolicy } from '#operations/policies/delete-policy.ts';
import { type EvaluateDeps, evaluateDial } from '#dialling/evaluate-dial.ts';
import { listPolicies } from '#operations/policies/list-policies.ts';
import { type UpdatePolicyDeps, updatePolicy } from '#operations/policies/update-policy.ts';
import type { PolicyStore } from '#ports/policy-store.ts';
import { handler, type RouteHandler } from './handler.ts';
import { presentPolicy } from './present/policies.ts';

export type PolicyDeps = CreatePolicyDeps & UpdatePolicyDeps & DeletePolicyDeps & EvaluateDeps & { policies: Pick<PolicyStore, 'list'> };

/** OCS 4.9. */
export function policyHandlers(deps: PolicyDeps): RouteHandler[] {
  return [
    handler(listPoliciesRoute, async ({ query }) => ({ rows: (await listPolicies(deps, query.campaignId ?? null)).map(presentPolicy) })),
    handler(createPolicyRoute, async ({ body, caller }) => ({
      policy: presentPolicy(await createPolicy(deps, caller, { ...body, campaignId: body.campaignId ?? null })),
    })),
    handler(updatePolicyRoute, async ({ params, body, caller }) => ({
      policy: presentPolicy(await updatePolicy(deps, caller, params.id, body)),
    })),
    handler(deletePolicyRoute, async ({ params, caller }) => ({ policy: presentPolicy(await deletePolicy(deps, caller, params.id)) })),
    handler(evaluatePoliciesRoute, async ({ body }) => {
      const at = typeof body.at === 'string' ? toInstant(body.at, deps.timeZone) : undefined;
      const { matchedPolicies, ...answer } = await evaluateDial(deps, { campaignId: body.campaignId, phoneNumber: body.phoneNumber, at });
      return { ...answer, matchedPolicies: matchedPolicies.map(presentPolicy) };
    }),
  ];
}
