import { z } from 'zod';
import { instant, rowId } from '#kernel/fields.ts';
import { outcomeRules, ruleTable } from './outcome-rules.ts';
import { TEMPLATE_KEYS } from './rule-templates.ts';

/** Owners of the rules that a campaign follows: itself, all campaigns, or nobody. */
export const RULE_ORIGINS = ['own', 'for_all', 'none'] as const;

const author = {
  createdBy: rowId.nullable(),
  author: z.string().nullable().meta({ description: '作者的显示名；没有用户或用户已删除为空' }),
};

/** A version of the rules of a campaign or of all campaigns; versions are only added. Source: D7.14 */
export const ruleVersion = z
  .object({
    id: rowId,
    campaignId: rowId.nullable().meta({ description: '空：全部活动的规则' }),
    version: z.int(),
    rules: ruleTable.nullable().meta({ description: '空：不用规则' }),
    inherits: z.boolean().meta({ description: '该版本删除了活动自己的规则，此后用全部活动的规则' }),
    ...author,
    createdAt: instant,
  })
  .meta({ id: 'OutcomeRuleVersion' });

export type RuleVersion = z.output<typeof ruleVersion>;

/** The rules that hold for a campaign, or for all campaigns, with the version that says so. */
export const ruleState = z
  .object({
    campaignId: rowId.nullable(),
    origin: z.enum(RULE_ORIGINS).meta({ description: 'own 自己的规则，for_all 全部活动的规则，none 没有规则' }),
    rules: ruleTable.nullable(),
    version: z.int().nullable().meta({ description: '生效规则的版本；从未设置为空' }),
    ...author,
    createdAt: instant.nullable(),
    ownVersion: z.int().meta({ description: '自己最新的版本，0 为从未设置；修改时以 version 带回，其间有人修改则拒绝' }),
    hasOwn: z.boolean().meta({ description: '自己有设置（规则，或不用规则），可以删除' }),
  })
  .meta({ id: 'OutcomeRuleState' });

export type RuleState = z.output<typeof ruleState>;

/** The state that the newest versions make: the campaign's own, and that of all campaigns. */
export function stateOf(campaignId: number | null, own: RuleVersion | undefined, forAll: RuleVersion | undefined): RuleState {
  const holding = campaignId !== null && (own?.inherits ?? true) ? forAll : own;
  const { rules = null, version = null, createdBy = null, author = null, createdAt = null } = holding ?? {};
  const origin = rules === null ? 'none' : campaignId !== null && holding === own ? 'own' : 'for_all';
  const hasOwn = campaignId === null ? rules !== null : holding === own && own !== undefined;
  return { campaignId, origin, rules, version, createdBy, author, createdAt, ownVersion: own?.version ?? 0, hasOwn };
}

const madeFrom = z.int().min(0).optional().meta({ description: '修改所依据的 ownVersion；与当前不同则 409；缺省不检查' });

/** A change of rules; null: no rules, those of all campaigns included. */
export const ruleChange = z.object({ rules: outcomeRules.nullable(), version: madeFrom });

export type RuleChange = z.output<typeof ruleChange>;

/** Rules to try on the past. */
export const rulesToTry = z.object({ rules: outcomeRules });

/** A table to begin with. */
export const ruleTemplate = z.object({ key: z.enum(TEMPLATE_KEYS), rules: ruleTable }).meta({ id: 'OutcomeRuleTemplate' });

const count = z.int().nonnegative();

/** Effect that rules would have had on past attempts. */
export const rulePreview = z
  .object({
    from: instant.nullable().meta({ description: '所据最早的呼叫；没有呼叫为空' }),
    to: instant,
    contacts: count,
    attempts: count,
    dialsSaved: count.meta({ description: '按这些规则不会打出的呼叫' }),
    reachedLost: count.meta({ description: '因此不会接通的联系人' }),
    triedAgain: count.meta({ description: '已放弃、按这些规则会再呼的联系人' }),
    reachedMore: count.meta({ description: '估计其中会接通的：按同一批呼叫中同一次序的接通率' }),
    rows: z
      .array(z.object({ row: z.int().nullable().meta({ description: '第几行，从 0 起；空为 otherwise' }), applied: count }))
      .meta({ description: '每行决定了多少次' }),
  })
  .meta({ id: 'OutcomeRulePreview' });

export type RulePreview = z.output<typeof rulePreview>;
