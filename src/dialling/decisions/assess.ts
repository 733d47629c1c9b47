import { decideWindow, type PreparedWindow, prepareWindow, type WindowDecision } from '#policies/decisions/calling-window.ts';
import { evaluateCampaign, type PreparedPolicies, preparePolicies, type Verdict } from '#policies/decisions/evaluate.ts';
import type { PolicyLimits } from '#policies/decisions/policy-kind.ts';
import { type DiallingPlace, isBarredCode } from '#phone-numbers/short-code.ts';
import type { SlotRefusal } from '#campaigns/decisions/skip-reason.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import type { Policy } from '#policies/policy.ts';
import { campaignClosesAt, campaignOpensAt } from './campaign-opening.ts';
import { decideDial, type DialDecision, recentAttempts } from './dial-admission.ts';
import type { AdmitDial, DialCandidate, DialPlan } from '../dial-store.ts';

/** The fields of a campaign that dialling rules need, besides its policies. */
export type RuledCampaign = Pick<Campaign, 'id' | keyof PolicyLimits | keyof Parameters<typeof prepareWindow>[0]>;

/** Evaluation of the rules for a campaign at the instant `at`. */
export interface Assessment {
  campaign: RuledCampaign;
  /** UTC ms. */
  at: number;
  /** Business time zone. */
  zone: string;
  place: DiallingPlace;
  window: PreparedWindow;
  windowDecision: WindowDecision;
  policies: PreparedPolicies<Policy>;
  verdict: Verdict<Policy>;
  limits: PolicyLimits;
  /** First instant at which window and policies both allow dialling; null when never. */
  opensAt: number | null;
  /** End of the current permission; null when it has no end. */
  closesAt: number | null;
  /** Whether the campaign as a whole may dial now. */
  mayDial: boolean;
}

/** Location of the business. */
export interface Place extends DiallingPlace {
  timeZone: string;
}

/** Evaluates a campaign and its policies once, so that checking a number is cheap. */
export function assessPlan(
  plan: Pick<DialPlan, 'at' | 'policies'> & { campaign: RuledCampaign },
  { timeZone: zone, region, allowedShortCodes = [] }: Place,
): Assessment {
  const { at, campaign } = plan;
  const window = prepareWindow(campaign);
  // A stored policy of an unknown type forbids dialling, because its config cannot be read.
  const policies = preparePolicies(plan.policies, campaign.id, region);
  const windowDecision = decideWindow(window, at, zone);
  const verdict = evaluateCampaign({ policies, campaign, at, zone });
  return {
    campaign,
    at,
    zone,
    place: { region, allowedShortCodes },
    window,
    windowDecision,
    policies,
    verdict,
    limits: verdict.effectiveLimits,
    opensAt: campaignOpensAt(window, policies, at, zone),
    closesAt: campaignClosesAt(window, policies, at, zone),
    mayDial: windowDecision.open && verdict.allowed,
  };
}

/** Facts about a contact and its number that decide whether it is dialled. */
export interface ContactFacts extends Pick<DialCandidate, 'dialKey' | 'attemptCount' | 'lastEndedAt' | 'doNotCall' | 'recentDials'> {
  /** Absent: false. */
  isPaused?: boolean;
  isInCall?: boolean;
  /** Refusal of the slot registry or the switch; absent when they were not queried. */
  slotRefusal?: SlotRefusal | null;
}

/** Decides whether a contact of the campaign is dialled now. */
export function decideContact(
  { campaign, window, policies, zone, place, ...read }: Assessment,
  contact: ContactFacts,
  at = read.at,
): DialDecision {
  const { isPaused = false, isInCall = false, slotRefusal = null, doNotCall, recentDials } = contact;
  return decideDial({
    campaign: { ...campaign, window },
    policies,
    contact: { ...contact, isPaused },
    doNotCall,
    isInCall,
    isShortCode: isBarredCode(contact.dialKey, place),
    recentAttempts: recentAttempts(recentDials, campaign.id),
    slotRefusal,
    at,
    zone,
  });
}

/** Longest hold for a number in another call, in case the end of that call is not reported, ms. */
const IN_CALL_HOLD_MS = 60_000;

/** Admits one number within the claim's transaction, by the same rules that explain a refusal (D7.10). */
export function admission(assessment: Assessment): AdmitDial {
  return (candidate, at) => {
    const decision = decideContact(assessment, candidate, at);
    if (decision.admit) return { kind: 'admit' };
    if (decision.reason === 'invalid_number') return { kind: 'fail', callStatus: 'invalid_number' };
    // Edits of the do-not-call list end these holds, edits of policies do not: such a hold must not depend on a policy.
    const until = decision.reason === 'dnc' ? (candidate.doNotCall?.expiresAt ?? null) : decision.nextEligibleAt;
    // The end of the other call wakes the campaign; the hold expires by itself if that message is lost.
    return { kind: 'hold', reason: decision.reason, until: decision.reason === 'in_call_elsewhere' ? at + IN_CALL_HOLD_MS : until };
  };
}
