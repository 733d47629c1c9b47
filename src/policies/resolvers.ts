import { assert } from '#kernel/assert.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { holidayCountries, holidaysOf } from './holidays.ts';
import { createPolicyRoute, deletePolicyRoute, evaluatePoliciesRoute, updatePolicyRoute } from './routes.ts';
import { createPolicy, deletePolicy, listPolicies, updatePolicy } from './policy-store.ts';
import { evaluateDial, type Evaluation, listDialingDays } from '#dialling/evaluate.ts';
import { ANY_REGION } from '#phone-numbers/dial-key.ts';
import { packRuleOf } from './decisions/rule-packs.ts';
import { isPolicyType, POLICY_KINDS, readPolicyConfig } from './decisions/policy-table.ts';
import { given, nullWhenAbsent, optionalRowId, rowIdOf } from '#platform/graphql/row-id.ts';
import type { GraphContext } from '#graph/context.ts';
import { fromRoute, parseAsBody } from '#graph/from-route.ts';
import type {
  PolicySettings,
  PolicySettingsInput,
  QueryExplainPolicyArgs,
  Resolvers,
  UpdatePolicyInput,
} from '#graph/schema-types.generated.ts';
import { membersOf } from '#kernel/typed.ts';

export const policyResolvers: Resolvers = {
  Query: {
    policy: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.policies.load(rowIdOf('id', id, { of: 'Policy' }))),
    policies: (_root, { campaignId, filter }, { app }) => listPolicies(app, optionalRowId('campaignId', campaignId), given(filter)),
    explainPolicy: (_root, question, { app }) => explain(app, question),
    holidayCountries,
    holidayCalendar: (_root, { country }) => holidaysOf(country),
    dialingDays: (_root, { campaignId, from, days }, { app }) =>
      listDialingDays(app, { campaignId: optionalRowId('campaignId', campaignId), from: from ?? null, days: days ?? undefined }),
  },
  Mutation: {
    createPolicy: fromRoute(createPolicyRoute, createPolicy, { bodyOf }),
    updatePolicy: fromRoute(updatePolicyRoute, updatePolicy, { bodyOf }),
    deletePolicy: fromRoute(deletePolicyRoute, deletePolicy),
  },
  Policy: {
    rule: ({ ruleId }) => (ruleId === null ? null : packRuleOf(ruleId)),
    // The config was validated to fit the type named here, which the generated types cannot express.
    settings: ({ type, config }) => {
      if (!isPolicyType(type) || !readPolicyConfig(type, config, ANY_REGION).ok) return null;
      const __typename: NonNullable<PolicySettings['__typename']> = POLICY_KINDS[type].settings;
      return { __typename, ...ABSENT_LISTS, ...renamed(given(membersOf(config)), POLICY_KINDS[type].renamed) } as never;
    },
  },
  PhoneBlacklistSettings: { count: ({ numbers }) => numbers.length },
};

/** Lists that a config may omit. */
const ABSENT_LISTS = { dates: [], recurringDates: [], workdayOverrides: [] };

function explain(app: GraphContext['app'], { at, ...question }: QueryExplainPolicyArgs): Promise<Evaluation> {
  const campaignId = optionalRowId('campaignId', question.campaignId);
  const { phoneNumber } = parseAsBody(evaluatePoliciesRoute, { campaignId: campaignId ?? 1, phoneNumber: question.phoneNumber });
  return evaluateDial(app, { campaignId, phoneNumber, at: at ?? undefined });
}

/** REST has type, action and config where GraphQL has settings. */
function bodyOf({ input: { settings, ...input } }: { input: UpdatePolicyInput }): object {
  return { ...input, ...(settings && configOf(settings, input)) };
}

/** Converts settings to type, action and config. */
function configOf(settings: PolicySettingsInput, beside: UpdatePolicyInput) {
  const stray = (['type', 'action', 'config'] as const).find(name => (beside[name] ?? null) !== null);
  if (stray) throw invalidArgument(stray, 'notTogether', { other: 'settings' });
  const [name = '', members] = Object.entries(settings).find(([, value]) => value !== null) ?? [];
  const type = name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  assert(isPolicyType(type), `the schema has settings ${name}, and no type of policy`);
  const { action, renamed: names = {} } = POLICY_KINDS[type];
  const memberNames = Object.fromEntries(Object.entries(names).map(([member, name]) => [name, member]));
  return { type, action, config: renamed(given(membersOf(members)), memberNames) };
}

/** The members of a config under other names; those without a row keep theirs. */
function renamed(members: object, names: Readonly<Record<string, string>> = {}): object {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [names[name] ?? name, value]));
}
