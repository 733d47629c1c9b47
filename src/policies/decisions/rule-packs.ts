import { CHINA } from './packs/china.ts';
import { EUROPEAN_UNION } from './packs/european-union.ts';
import type { BothWords, PackRule, RuleChoice, RulePack } from './packs/rule-pack.ts';
import { UNITED_KINGDOM } from './packs/united-kingdom.ts';
import { UNITED_STATES } from './packs/united-states.ts';
import { POLICY_KINDS, type PolicyType } from './policy-table.ts';

/** All rule packs, in the order of pages. */
export const RULE_PACKS: readonly RulePack[] = [CHINA, UNITED_STATES, UNITED_KINGDOM, EUROPEAN_UNION];

export const PACK_IDS = RULE_PACKS.map(({ id }) => id);

/** Undefined when no pack has the id. */
export function findPack(packId: string): RulePack | undefined {
  return RULE_PACKS.find(({ id }) => id === packId);
}

/** The rule that a policy carries out, with its pack; undefined when a later version has stored it. */
export function findRule(ruleId: string): { pack: RulePack; rule: PackRule } | undefined {
  const pack = RULE_PACKS.find(({ rules }) => rules.some(({ id }) => id === ruleId));
  const rule = pack?.rules.find(({ id }) => id === ruleId);
  return pack && rule && { pack, rule };
}

/** A rule as doors show it. */
export type PackRuleView = Omit<PackRule, 'policy'> & { policyType: PolicyType | null; choices: { id: string; name: BothWords }[] };

/** Null when no pack has the rule. */
export function packRuleOf(ruleId: string): PackRuleView | null {
  const found = findRule(ruleId);
  return found ? presentRule(found.rule) : null;
}

export function presentRule({ policy, ...rule }: PackRule): PackRuleView {
  return { ...rule, policyType: policy?.type ?? null, choices: (policy?.choices ?? []).map(({ id, name }) => ({ id, name })) };
}

/** How each rule is to be carried out: choice by rule; rules without one take their first. */
export type Choices = Readonly<Record<string, string>>;

/** Higher than any user's, so that a refusal names the rule first. */
const RULE_PRIORITY = 1_000_001;
/** Longest name of a policy, characters. */
const MAX_NAME_LENGTH = 128;

/** A policy that carries out a rule. */
export interface RulePolicyFields {
  ruleId: string;
  name: string;
  type: PolicyType;
  action: (typeof POLICY_KINDS)[PolicyType]['action'];
  priority: number;
  config: Record<string, string | number>;
}

/** The policies of a pack; rules that always apply, and those that are left out, have none. */
export function policiesOf(pack: RulePack, choices: Choices): RulePolicyFields[] {
  return pack.rules.flatMap(rule => {
    const config = choiceOf(rule, choices)?.config;
    return rule.policy && config ? [policyOf(pack, rule, { type: rule.policy.type, config })] : [];
  });
}

function policyOf(pack: RulePack, rule: PackRule, { type, config }: { type: PolicyType; config: object }): RulePolicyFields {
  const { action } = POLICY_KINDS[type];
  return { ruleId: rule.id, name: policyName(pack, rule), type, action, priority: RULE_PRIORITY, config: { ...config } };
}

/** The choice that holds for a rule; undefined for a rule without a policy, and for an unknown choice. */
export function choiceOf({ id, policy }: PackRule, choices: Choices): RuleChoice | undefined {
  const wanted = choices[id];
  return wanted === undefined ? policy?.choices[0] : policy?.choices.find(choice => choice.id === wanted);
}

/** Names pack, rule and source, because every refusal shows it. */
function policyName({ name }: RulePack, rule: PackRule): string {
  return `${name.zh}·${rule.name.zh}（${rule.source.zh}）`.slice(0, MAX_NAME_LENGTH);
}
