import { decideWindow, type PreparedWindow, prepareWindow, type WindowDecision } from '#rules/calling-window.ts';
import { evaluateCampaign, type Verdict } from '#rules/policies/evaluate-policies.ts';
import type { PolicyLimits } from '#rules/policies/policy.ts';
import { preparePolicies, type PreparedPolicies } from '#rules/policies/prepare-policies.ts';
import { type DiallingPlace, isBarredCode } from '#rules/short-code.ts';
import type { SlotRefusal } from '#rules/skip-reason.ts';
import type { AdmitDial, DialCandidate, DialPlan } from '#ports/dial-store.ts';
import type { Campaign } from '#model/campaign.ts';
import type { Policy } from '#model/policy.ts';
import { campaignClosesAt, campaignOpensAt } from './campaign-opening.ts';
import { decideDial, type DialDecision, recentAttempts } from './dial-admission.ts';

/** What dialling reads of a campaign besides its policies. */
export type RuledCampaign = Pick<Campaign, 'id' | keyof PolicyLimits | keyof Parameters<typeof prepareWindow>[0]>;

/** What the rules say about a campaign at the instant `at`. */
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
  /** First instant at which window and policies are both open; null when never. */
  opensAt: number | null;
  /** End of the present permission; null when open without end. */
  closesAt: number | null;
  /** Whether the campaign as a whole may dial now. */
  mayDial: boolean;
}

/** Where the business is. */
export interface Place extends DiallingPlace {
  timeZone: string;
}

/** Reads a campaign and its policies through the rules once, so that admitting a number costs little. */
export function assessPlan(
  plan: Pick<DialPlan, 'at' | 'policies'> & { campaign: RuledCampaign },
  { timeZone: zone, region, allowedShortCodes = [] }: Place,
): Assessment {
  const { at, campaign } = plan;
  const window = prepareWindow(campaign);
  // A stored policy whose type the rules do not know forbids dialling: its config cannot be read.
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

/** What is known of a contact and its number when somebody asks whether it is dialled. */
export interface AskedContact extends Pick<DialCandidate, 'dialKey' | 'attemptCount' | 'lastEndedAt' | 'doNotCall' | 'recentDials'> {
  /** Absent: it is not. */
  isPaused?: boolean;
  isInCall?: boolean;
  /** What the slot registry and the switch answered; absent: they were not asked. */
  slotRefusal?: SlotRefusal | null;
}

/** Whether a contact of the campaign is dialled now. */
export function decideContact(
  { campaign, window, policies, zone, place, ...read }: Assessment,
  contact: AskedContact,
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

/** Who is in another call is looked at again after this, should nobody report that call's end, ms. */
const IN_CALL_HOLD_MS = 60_000;

/** The admission of one number inside the claim's transaction: the same rules that explain a refusal (D7.10). */
export function admission(assessment: Assessment): AdmitDial {
  return (candidate, at) => {
    const decision = decideContact(assessment, candidate, at);
    if (decision.admit) return { kind: 'admit' };
    if (decision.reason === 'invalid_number') return { kind: 'fail', callStatus: 'invalid_number' };
    // Edits of do-not-call end these holds, edits of policies do not: such a hold never waits for what a policy says.
    const until = decision.reason === 'dnc' ? (candidate.doNotCall?.expiresAt ?? null) : decision.nextEligibleAt;
    // Its end wakes the campaign; the hold has one of its own for a word that is lost.
    return { kind: 'hold', reason: decision.reason, until: decision.reason === 'in_call_elsewhere' ? at + IN_CALL_HOLD_MS : until };
  };
}
