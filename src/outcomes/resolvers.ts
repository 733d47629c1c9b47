import type { GraphQLResolveInfo } from 'graphql';
import { callerOf, type GraphContext } from '#graph/context.ts';
import { fromRoute, parseAsBody } from '#graph/from-route.ts';
import type {
  MutationRemoveOutcomeRulesArgs,
  MutationRetryContactsArgs,
  MutationSetOutcomeRulesArgs,
  OutcomeRulesInput,
  Resolvers,
} from '#graph/schema-types.generated.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { given, optionalRowId, rowIdOf } from '#platform/graphql/row-id.ts';
import { previewOnPast } from './preview-past.ts';
import { retryContacts } from './retry-contacts.ts';
import { previewRulesRoute, retryContactsRoute, selectionOf, setCampaignRulesRoute, setCommonRulesRoute } from './routes.ts';
import { listTemplates, readRules, removeRules, ruleVersionList, setRules } from './rule-store.ts';

const ruleBody = { bodyOf: ({ input }: MutationSetOutcomeRulesArgs) => ({ ...given(input), rules: input.rules && tableOf(input.rules) }) };

const setCampaignRules = fromRoute(setCampaignRulesRoute, setRules, ruleBody);
const setCommonRules = fromRoute(setCommonRulesRoute, (app, caller, body) => setRules(app, caller, null, body), ruleBody);

export const outcomeResolvers: Resolvers = {
  Query: {
    outcomeRules: (_root, { campaignId }, { app }) => readRules(app, optionalRowId('campaignId', campaignId)),
    outcomeRuleVersions: (_root, { campaignId, ...args }, { app }) =>
      connectTo(app, ruleVersionList, { campaignId: optionalRowId('campaignId', campaignId) }, args),
    outcomeRuleTemplates: (_root, { campaignId }, { app }) => listTemplates(app, optionalRowId('campaignId', campaignId)),
    previewOutcomeRules: (_root, { campaignId, rules }, { app }) =>
      previewOnPast(app, rowIdOf('campaignId', campaignId), parseAsBody(previewRulesRoute, { rules: tableOf(rules) }).rules),
  },
  Mutation: {
    retryContacts: fromRoute(retryContactsRoute, (app, caller, id, body) => retryContacts(app, caller, id, selectionOf(body)), {
      bodyOf: ({ selection }: MutationRetryContactsArgs) => given(selection),
    }),
    setOutcomeRules: (root, args, context, info) =>
      isOfCampaign(args) ? setCampaignRules(root, args, context, info) : setCommonRules(root, args, context, info),
    removeOutcomeRules: (_root, args, context, info) => remove(args, context, info),
  },
  OutcomeRuleState: { createdById: row => row.createdBy },
  OutcomeRuleVersion: { createdById: row => row.createdBy },
  OutcomeRuleVersionConnection: connectionFields(),
};

function isOfCampaign({ campaignId }: { campaignId?: string | null }): boolean {
  return campaignId !== null && campaignId !== undefined;
}

function remove({ campaignId, version }: MutationRemoveOutcomeRulesArgs, context: GraphContext, info: GraphQLResolveInfo) {
  return removeRules(context.app, callerOf(context, info), optionalRowId('campaignId', campaignId), version ?? undefined);
}

/** GraphQL has all members that steps have in one type; a table has those of the kind alone. */
function tableOf({ rules, otherwise, ...table }: OutcomeRulesInput): object {
  return { ...table, otherwise: given(otherwise), rules: rules.map(rule => ({ ...rule, to: rule.to ?? null, next: given(rule.next) })) };
}
