import { z } from 'zod';
import { flag, instant, rowId } from '#kernel/fields.ts';
import { POLICY_TYPES } from '#policies/decisions/policy-table.ts';

const words = z.object({ zh: z.string(), en: z.string() }).meta({ id: 'BothWords' });

/** One way to carry out a rule. */
const ruleChoice = z.object({ id: z.string(), name: words });

/** A rule of a pack. Source: D8.11 */
const packRule = z
  .object({
    id: z.string(),
    name: words,
    text: words.meta({ description: '条文的意思' }),
    source: words.meta({ description: '法律条文；没有找到条文的写明“行业惯例”及其出处' }),
    isTradePractice: z.boolean(),
    inForceFrom: z.string().nullable().meta({ description: '生效日期 YYYY-MM-DD；空：不详' }),
    lastChecked: z.string().meta({ description: '最近一次核对日期 YYYY-MM-DD' }),
    policyType: z.enum(POLICY_TYPES).nullable().meta({ description: '由哪种策略执行；空：始终有效，无需策略' }),
    choices: z.array(ruleChoice).meta({ description: '可选的执行方式，第一个为默认' }),
    appliedBy: words,
  })
  .meta({ id: 'PackRule' });

const chosen = z.object({ ruleId: z.string(), choiceId: z.string() });

/** The campaigns for which a pack is switched on. */
const packSwitch = z
  .object({
    campaignId: rowId.nullable().meta({ description: '空：对全部活动' }),
    choices: z.array(chosen),
    isCurrent: z.boolean().meta({ description: '与规则包现在的内容一致；否：请重新打开以采用新的内容' }),
    since: instant,
  })
  .meta({ id: 'PackSwitch' });

export const rulePack = z
  .object({ id: z.string(), name: words, note: words, rules: z.array(packRule), switches: z.array(packSwitch) })
  .meta({ id: 'RulePack' });

export type RulePackView = z.output<typeof rulePack>;
export type PackSwitch = z.output<typeof packSwitch>;

export const WINNERS = ['rule', 'policy', 'both', 'nobody'] as const;

/** A rule and a user's policy that say different things. */
export const packConflict = z
  .object({
    ruleId: z.string(),
    policyId: rowId,
    policyName: z.string(),
    winner: z
      .enum(WINNERS)
      .meta({ description: '更严格的一方有效：rule 规则，policy 策略，both 两者同时有效，nobody 两者合起来不允许任何外呼' }),
    reason: words,
  })
  .meta({ id: 'PackConflict' });

export type PackConflict = z.output<typeof packConflict>;

/** Dials that a pack would have blocked. */
export const packPreview = z
  .object({
    from: instant,
    to: instant,
    attempts: z.int().meta({ description: '这段时间拨出的呼叫' }),
    blocked: z.int().meta({ description: '其中会被至少一条规则阻止的' }),
    isSampled: z.boolean().meta({ description: '呼叫过多，只统计最近的一部分' }),
    rules: z.array(z.object({ ruleId: z.string(), blocked: z.int() })),
    conflicts: z.array(packConflict),
  })
  .meta({ id: 'PackPreview' });

export type PackPreview = z.output<typeof packPreview>;

const MAX_RULE_ID_LENGTH = 64;
/** More than any pack has rules. */
const MAX_CHOICES = 20;

const choices = z
  .array(z.object({ ruleId: z.string().max(MAX_RULE_ID_LENGTH), choiceId: z.string().max(MAX_RULE_ID_LENGTH) }))
  .max(MAX_CHOICES)
  .optional()
  .default([]);

/** For which campaigns, and how its rules are carried out. */
export const packUse = z.object({
  campaignId: rowId.nullish().meta({ description: '只对该活动；空：对全部活动' }),
  choices,
});

export const packSwitching = packUse.extend({ isOn: flag });

export type PackUse = z.output<typeof packUse>;
export type PackSwitching = z.output<typeof packSwitching>;
