import type { GraphQLResolveInfo } from 'graphql';
import { createPolicyRoute, evaluatePoliciesRoute, updatePolicyRoute } from '#contract/rest/policies.ts';
import { createPolicy, deletePolicy, listPolicies, updatePolicy } from '#management/policies.ts';
import { type Evaluation, evaluateDial } from '#dialling/evaluate-dial.ts';
import type { Policy } from '#model/policy.ts';
import { nullWhenAbsent } from '../absent.ts';
import { callerOf, type GraphContext } from '../context.ts';
import { withFlags } from '../flags.ts';
import { parseAsBody } from '../route-body.ts';
import { optionalRowId, rowIdOf } from '../row-id.ts';
import type { CreatePolicyInput, QueryExplainPolicyArgs, Resolvers, UpdatePolicyInput } from '../schema-types.generated.ts';

export const policyResolvers: Resolvers = {
  Query: {
    policy: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.policies.load(rowIdOf('id', id, { of: 'Policy' }))),
    policies: (_root, { campaignId }, { deps }) => listPolicies(deps, optionalRowId('campaignId', campaignId)),
    explainPolicy: (_root, question, { deps }) => explain(deps, question),
  },
  Mutation: {
    createPolicy: (_root, { input }, context, info) => create(context, info, input),
    updatePolicy: (_root, { id, input }, context, info) => update(context, info, id, input),
    deletePolicy: (_root, { id }, context, info) =>
      deletePolicy(context.deps, callerOf(context, info), rowIdOf('id', id, { of: 'Policy' })),
  },
};

function explain(deps: GraphContext['deps'], { at, ...question }: QueryExplainPolicyArgs): Promise<Evaluation> {
  const campaignId = rowIdOf('campaignId', question.campaignId);
  const { phoneNumber } = parseAsBody(evaluatePoliciesRoute, { campaignId, phoneNumber: question.phoneNumber });
  return evaluateDial(deps, { campaignId, phoneNumber, at: at ?? undefined });
}

async function create(context: GraphContext, info: GraphQLResolveInfo, input: CreatePolicyInput): Promise<Policy> {
  return createPolicy(context.deps, callerOf(context, info), parseAsBody(createPolicyRoute, bodyOf(input)));
}

async function update(context: GraphContext, info: GraphQLResolveInfo, id: string, input: UpdatePolicyInput): Promise<Policy> {
  return updatePolicy(
    context.deps,
    callerOf(context, info),
    rowIdOf('id', id, { of: 'Policy' }),
    parseAsBody(updatePolicyRoute, bodyOf(input)),
  );
}

function bodyOf({ campaignId, ...input }: UpdatePolicyInput): object {
  return { ...withFlags(input), ...(campaignId === undefined ? {} : { campaignId: campaignId && rowIdOf('campaignId', campaignId) }) };
}
