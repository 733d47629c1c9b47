import type { Clock } from '#kernel/clock.ts';
import { notFound } from '#kernel/errors.ts';
import type { RecentDial } from '#ports/dial-store.ts';
import type { PolicyReads } from '#operations/policies/policy-reads.ts';
import type { Policy } from '#model/policy.ts';
import { MS_PER_DAY } from '#rules/calendar.ts';
import { dialKey } from '#rules/phone-number.ts';
import { evaluatePolicies } from '#rules/policies/evaluate-policies.ts';
import type { PolicyLimits } from '#rules/policies/policy.ts';
import { SKIP_REASON_TEXTS } from '#rules/skip-reason.ts';
import { type Assessment, assessPlan, decideContact } from './decisions/assess.ts';
import { recentAttempts } from './decisions/dial-admission.ts';

export interface EvaluateDeps {
  policies: Pick<PolicyReads, 'loadQuestion' | 'recentDials'>;
  clock: Clock;
  /** Business time zone. */
  timeZone: string;
}

export interface EvaluationInput {
  campaignId: number;
  phoneNumber: string;
  /** UTC ms; absent = now. */
  at?: number | undefined;
}

export interface Evaluation {
  allowed: boolean;
  /** Chinese; null when allowed. */
  reason: string | null;
  matchedPolicies: Policy[];
  effectiveLimits: PolicyLimits;
}

/**
 * Answers as a first dial of the number at `at` would be decided, by the code that admits dials: policies, do-not-call list, the campaign's window
 * and the number itself. `matchedPolicies` names policies only.
 *
 * Errors: NOT_FOUND when the campaign does not exist
 * Source: OCS 2.9, 4.9, 4.10, D8.5
 */
export async function evaluateDial(deps: EvaluateDeps, { campaignId, phoneNumber, at: asked }: EvaluationInput): Promise<Evaluation> {
  const at = asked ?? deps.clock.now();
  const question = await deps.policies.loadQuestion(campaignId, dialKey(phoneNumber));
  if (question === null) throw notFound('活动');
  const assessment = assessPlan({ ...question, at }, deps.timeZone);
  const dials = await readRecentDials(deps, assessment, phoneNumber);
  // A time in the past knows nothing of the dials after it; without one, a clock ahead of this host's hides none.
  const recentDials = dials.filter(dial => dial.at <= (asked ?? Infinity));
  const decision = decideContact(assessment, {
    phoneNumber,
    attemptCount: 0,
    lastEndedAt: null,
    doNotCall: question.doNotCall,
    recentDials,
  });
  const verdict = evaluatePolicies({ ...assessment, phoneNumber, recentAttempts: recentAttempts(recentDials, campaignId) });
  return {
    allowed: decision.admit,
    reason: decision.admit ? null : (decision.detail ?? SKIP_REASON_TEXTS[decision.reason]),
    matchedPolicies: verdict.matchedPolicies,
    effectiveLimits: verdict.effectiveLimits,
  };
}

/** Earlier dials of the number, as far back as the campaign's policies look. */
export async function readRecentDials(
  { policies }: Pick<EvaluateDeps, 'policies'>,
  { policies: { frequencyDays }, at }: Assessment,
  phoneNumber: string,
): Promise<RecentDial[]> {
  return frequencyDays === 0 ? [] : policies.recentDials(dialKey(phoneNumber), at - frequencyDays * MS_PER_DAY);
}
