import { createPolicyRoute, deletePolicyRoute, evaluatePoliciesRoute, listPoliciesRoute, updatePolicyRoute } from './policies.ts';
import { createPolicy, deletePolicy, listPolicies, type PolicyDeps, updatePolicy } from './policy-store.ts';
import { toInstant } from '#kernel/fields.ts';
import { type EvaluateDeps, evaluateDial } from '#dialling/evaluate-dial.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';

/** OCS 4.9. */
export function policyHandlers(deps: PolicyDeps & EvaluateDeps): RouteHandler[] {
  return [
    handler(listPoliciesRoute, async ({ query }) => ({ rows: await listPolicies(deps, query.campaignId ?? null) })),
    handler(createPolicyRoute, async ({ body, caller }) => ({ policy: await createPolicy(deps, caller, body) })),
    handler(updatePolicyRoute, async ({ params, body, caller }) => ({ policy: await updatePolicy(deps, caller, params.id, body) })),
    handler(deletePolicyRoute, async ({ params, caller }) => ({ policy: await deletePolicy(deps, caller, params.id) })),
    handler(evaluatePoliciesRoute, ({ body: { campaignId, phoneNumber, at } }) =>
      evaluateDial(deps, { campaignId, phoneNumber, at: typeof at === 'string' ? toInstant(at, deps.timeZone) : undefined }),
    ),
  ];
}
