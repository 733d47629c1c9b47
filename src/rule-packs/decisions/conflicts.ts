import type { Region } from '#phone-numbers/dial-key.ts';
import type { Policy, PolicyEffect } from '#policies/decisions/policy-kind.ts';
import { readPolicyConfig } from '#policies/decisions/policy-table.ts';
import type { RulePolicyFields } from '#policies/decisions/rule-packs.ts';
import { intersectSchedules, isNever, uniteSchedules, type WeekSchedule } from '#policies/decisions/week-schedule.ts';
import type { PackConflict } from '../rule-pack.ts';

type Winner = PackConflict['winner'];

/** The consequence of each relation of a rule to a policy; the stricter of the two always holds. */
const REASONS: Readonly<Record<Winner, PackConflict['reason']>> = {
  rule: {
    zh: '规则更严格：规则有效，策略放宽的部分不起作用',
    en: 'The rule is stricter: it holds, and what the policy allows beyond it has no effect',
  },
  policy: {
    zh: '策略更严格：策略继续有效，规则不会放宽它',
    en: 'The policy is stricter: it goes on to hold, and the rule does not loosen it',
  },
  both: {
    zh: '各有更严格之处：两者同时有效，呼叫须同时满足',
    en: 'Each is stricter in part: both hold, and a call must satisfy both',
  },
  nobody: {
    zh: '两者没有共同的可呼时段：不会有任何外呼，请先修改策略',
    en: 'They have no hours in common, so that nobody would be called: change the policy first',
  },
};

/** A user's policy with its effect and, for a window, the hours of all windows of its group, of which any suffices. */
interface Rival {
  policy: Policy;
  effect: PolicyEffect;
  hours: WeekSchedule;
}

/**
 * Compares the policies of a pack with those that users have made.
 *
 * Shape:  policies that say the same as a rule are left out; those of other rule packs too, since all packs hold together
 * Source: D8.11
 */
export function conflictsOf(rules: readonly RulePolicyFields[], policies: readonly Policy[], region: Region): PackConflict[] {
  const rivals = rivalsOf(policies, region);
  return rules.flatMap(rule => {
    const read = readPolicyConfig(rule.type, rule.config, region);
    if (!read.ok) return [];
    return rivals.flatMap(rival => {
      const winner = winnerOf(read.value, rival);
      const { id: policyId, name: policyName } = rival.policy;
      return winner === null ? [] : [{ ruleId: rule.ruleId, policyId, policyName, winner, reason: REASONS[winner] }];
    });
  });
}

function rivalsOf(policies: readonly Policy[], region: Region): Rival[] {
  const read = policies.flatMap(policy => {
    const effect = readPolicyConfig(policy.type, policy.config, region);
    return effect.ok && policy.isEnabled && (policy.ruleId ?? null) === null ? [{ policy, effect: effect.value }] : [];
  });
  const groups = Map.groupBy(read, ({ policy }) => policy.campaignId);
  return read.map(({ policy, effect }) => {
    const group = groups.get(policy.campaignId) ?? [];
    return { policy, effect, hours: uniteSchedules(group.flatMap(each => (each.effect.kind === 'window' ? [each.effect.schedule] : []))) };
  });
}

/** Null when the two do not concern the same, or say the same. */
function winnerOf(rule: PolicyEffect, { effect, hours }: Rival): Winner | null {
  if (rule.kind === 'window' && effect.kind === 'window') return stricterHours(rule.schedule, hours);
  if (rule.kind === 'frequency' && effect.kind === 'frequency') {
    return stricterOf(effect.limit.days - rule.limit.days, rule.limit.maxAttempts - effect.limit.maxAttempts);
  }
  if (rule.kind === 'abandonment' && effect.kind === 'abandonment') {
    return stricterOf(effect.limit.hours === rule.limit.hours ? 0 : Number.NaN, rule.limit.maxPercent - effect.limit.maxPercent);
  }
  return rule.kind === 'rest' && effect.kind === 'rest' ? stricterOf(effect.hours - rule.hours, 0) : null;
}

/** Each number is positive where the policy is stricter, negative where the rule is, and NaN where the two cannot be compared. */
function stricterOf(...advantages: readonly [number, number]): Winner | null {
  if (advantages.every(advantage => advantage === 0)) return null;
  if (advantages.every(advantage => advantage >= 0)) return 'policy';
  return advantages.every(advantage => advantage <= 0) ? 'rule' : 'both';
}

function stricterHours(rule: WeekSchedule, policy: WeekSchedule): Winner | null {
  const common = intersectSchedules(rule, policy);
  if (isNever(common)) return 'nobody';
  const [isRule, isPolicy] = [isSame(common, rule), isSame(common, policy)];
  if (isRule && isPolicy) return null;
  if (isPolicy) return 'policy';
  return isRule ? 'rule' : 'both';
}

/** Compares the hours of the seven weekdays; what make-up days add belongs to no rule. */
function isSame(one: WeekSchedule, other: WeekSchedule): boolean {
  const week = (schedule: WeekSchedule) => JSON.stringify(schedule.slice(0, 7));
  return week(one) === week(other);
}
