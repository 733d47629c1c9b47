import type { Clock } from '#kernel/clock.ts';
import { notFound } from '#kernel/errors.ts';
import type { Policy } from '#ports/records.ts';
import type { PolicyQuestion, PolicyStore } from '#ports/policy-store.ts';
import { MS_PER_DAY } from '#rules/calendar.ts';
import { prepareWindow } from '#rules/calling-window.ts';
import { decideDial } from '#dialling/decisions/dial-admission.ts';
import { dialKey } from '#rules/phone-number.ts';
import { evaluatePolicies } from '#rules/policies/evaluate-policies.ts';
import type { RecentAttempts } from '#rules/policies/evaluate-policies.ts';
import type { PolicyLimits } from '#rules/policies/policy.ts';
import { preparePolicies } from '#rules/policies/prepare-policies.ts';
import { SKIP_REASON_TEXTS } from '#rules/skip-reason.ts';
import { rulePolicy } from './rule-policy.ts';

/** Earlier dials of one number that a decision can depend on: no frequency policy counts further. */
const MAX_RECENT_DIALS = 10_000;

export interface EvaluateDeps {
  policies: Pick<PolicyStore, 'loadQuestion' | 'recentDials'>;
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
export async function evaluateDial(deps: EvaluateDeps, input: EvaluationInput): Promise<Evaluation> {
  const at = input.at ?? deps.clock.now();
  const key = dialKey(input.phoneNumber);
  const question = await deps.policies.loadQuestion(input.campaignId, key);
  if (question === null) throw notFound('活动');
  const policies = preparePolicies(question.policies.map(rulePolicy), input.campaignId);
  const recentAttempts = await readRecentDials(deps, {
    campaignId: input.campaignId,
    key,
    since: at - policies.frequencyDays * MS_PER_DAY,
    at,
  });
  // A time in the past knows nothing of the dials after it; without one, a clock ahead of this host's hides none.
  const { at: asked = Infinity } = input;
  const dialsThen: RecentAttempts = scope => recentAttempts(scope).filter(dialledAt => dialledAt <= asked);
  return decide(question, { policies, recentAttempts: dialsThen, phoneNumber: input.phoneNumber, at, zone: deps.timeZone });
}

interface Circumstances {
  policies: ReturnType<typeof preparePolicies<ReturnType<typeof rulePolicy>>>;
  recentAttempts: RecentAttempts;
  phoneNumber: string;
  at: number;
  zone: string;
}

function decide({ campaign, doNotCall }: PolicyQuestion, circumstances: Circumstances): Evaluation {
  const verdict = evaluatePolicies({ ...circumstances, campaign });
  const decision = decideDial({
    ...circumstances,
    campaign: { ...campaign, window: prepareWindow(campaign) },
    contact: { phoneNumber: circumstances.phoneNumber, isPaused: false, attemptCount: 0, lastEndedAt: null },
    doNotCall,
  });
  return {
    allowed: decision.admit,
    reason: decision.admit ? null : (decision.detail ?? SKIP_REASON_TEXTS[decision.reason]),
    matchedPolicies: verdict.matchedPolicies.map(({ row }) => row),
    effectiveLimits: verdict.effectiveLimits,
  };
}

/** Earlier dials of the number, by the scope that a frequency policy counts. */
export async function readRecentDials(
  deps: Pick<EvaluateDeps, 'policies'>,
  { campaignId, key, since, at }: { campaignId: number; key: string; since: number; at: number },
): Promise<RecentAttempts> {
  if (since >= at) return () => [];
  const dials = await deps.policies.recentDials(key, since, MAX_RECENT_DIALS);
  const everywhere = dials.map(({ dialledAt }) => dialledAt);
  const ofCampaign = dials.filter(dial => dial.campaignId === campaignId).map(({ dialledAt }) => dialledAt);
  return scope => (scope === 'global' ? everywhere : ofCampaign);
}
