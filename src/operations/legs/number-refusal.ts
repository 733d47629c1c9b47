import type { Clock } from '#kernel/clock.ts';
import type { PolicyReads } from '../policies/policy-reads.ts';
import type { CallTargets } from '#ports/softphone-store.ts';
import { dialKey } from '#rules/phone-number.ts';
import { evaluatePolicies } from '#rules/policies/evaluate-policies.ts';
import { preparePolicies } from '#rules/policies/prepare-policies.ts';
import { CAMPAIGN_DEFAULTS } from '#rules/campaign-bounds.ts';
import { SKIP_REASON_TEXTS } from '#rules/skip-reason.ts';
import { evaluateDial, type EvaluateDeps } from '#dialling/evaluate-dial.ts';

export interface NumberRefusalDeps {
  policies: Pick<PolicyReads, 'list' | 'loadQuestion'>;
  clock: Clock;
  /** Business time zone. */
  timeZone: string;
}

/** Limits play no part: they are the campaign's own. */
const NO_LIMITS = {
  maxConcurrency: CAMPAIGN_DEFAULTS.maxConcurrency,
  maxRetries: CAMPAIGN_DEFAULTS.maxRetries,
  retryIntervalSeconds: CAMPAIGN_DEFAULTS.retryIntervalSeconds,
  callIntervalMs: CAMPAIGN_DEFAULTS.callIntervalMs,
};

/**
 * Why a person may not call this number now, in Chinese: a policy that blocks dates or numbers, of all campaigns or of this one. Null: may be called.
 *
 * Why:    windows and limits pace the dispatcher; a block is a promise to people that a hand on the phone must keep too
 * Source: D12.3, D8.2
 */
export async function numberRefusal(deps: NumberRefusalDeps, phoneNumber: string, campaignId: number | null): Promise<string | null> {
  const policies = await readPolicies(deps, phoneNumber, campaignId);
  const blocks = policies.filter(policy => policy.isEnabled && policy.action === 'block');
  const verdict = evaluatePolicies({
    policies: preparePolicies(blocks, campaignId ?? 0),
    campaign: NO_LIMITS,
    phoneNumber,
    recentAttempts: () => [],
    at: deps.clock.now(),
    zone: deps.timeZone,
  });
  return verdict.allowed ? null : verdict.reason;
}

async function readPolicies(deps: NumberRefusalDeps, phoneNumber: string, campaignId: number | null) {
  if (campaignId === null) return (await deps.policies.list(null)).filter(policy => policy.scope === 'global');
  return (await deps.policies.loadQuestion(campaignId, dialKey(phoneNumber)))?.policies ?? [];
}

export interface MeetingRefusalDeps extends NumberRefusalDeps {
  policies: NumberRefusalDeps['policies'] & EvaluateDeps['policies'];
  callTargets: Pick<CallTargets, 'isListed'>;
}

/**
 * Why the number may not be called into a meeting now, in Chinese; null: it may. It is dialled by all rules of its campaign; without one by the
 * do-not-call list and the block policies of all campaigns.
 *
 * Source: D8.2, D12.3
 */
export async function meetingRefusal(deps: MeetingRefusalDeps, campaignId: number | null, phoneNumber: string): Promise<string | null> {
  if (campaignId === null) {
    if (await deps.callTargets.isListed(phoneNumber)) return SKIP_REASON_TEXTS.dnc;
    return numberRefusal(deps, phoneNumber, null);
  }
  const verdict = await evaluateDial(deps, { campaignId, phoneNumber });
  return verdict.allowed ? null : (verdict.reason ?? '');
}
