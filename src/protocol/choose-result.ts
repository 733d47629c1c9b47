import { isFulfilled } from './condition.ts';
import type { ConditionFacts } from './condition.ts';
import type { ResultRule } from './script.ts';

/**
 * Classification and intent of a finished call, from the first rule whose `when` matches; null when none does.
 *
 * Source: D11 "resultRules[]"
 */
export function chooseResult(rules: readonly ResultRule[], facts: ConditionFacts): Pick<ResultRule, 'classification' | 'intent'> | null {
  const rule = rules.find(({ when }) => when === undefined || when === null || isFulfilled(when, facts));
  return rule ? { classification: rule.classification, intent: rule.intent } : null;
}
