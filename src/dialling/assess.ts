import { campaignClosesAt, campaignOpensAt } from './decisions/campaign-opening.ts';
import { decideWindow, type PreparedWindow, prepareWindow, type WindowDecision } from '#rules/calling-window.ts';
import { decideDial } from './decisions/dial-admission.ts';
import { type CampaignVerdict, evaluateCampaign } from '#rules/policies/evaluate-policies.ts';
import type { Policy as RulePolicy, PolicyLimits } from '#rules/policies/policy.ts';
import { preparePolicies, type PreparedPolicies } from '#rules/policies/prepare-policies.ts';
import type { AdmitDial, DialPlan } from '#ports/dial-store.ts';
import type { Campaign, Policy } from '#ports/records.ts';

/** What the rules say about a campaign at the plan's instant. */
export interface Assessment {
  window: PreparedWindow;
  windowDecision: WindowDecision;
  policies: PreparedPolicies;
  verdict: CampaignVerdict;
  limits: PolicyLimits;
  /** First instant at which window and policies are both open; null when never. */
  opensAt: number | null;
  /** End of the present permission; null when open without end. */
  closesAt: number | null;
  /** Whether the campaign as a whole may dial now. */
  mayDial: boolean;
}

/** Reads the plan through the rules once, so that admitting a number costs little. */
export function assessPlan(plan: Pick<DialPlan, 'at' | 'campaign' | 'policies'>, zone: string): Assessment {
  const { at, campaign } = plan;
  const window = prepareWindow(campaign);
  const policies = preparePolicies(plan.policies.map(asRulePolicy), campaign.id);
  const windowDecision = decideWindow(window, at, zone);
  const verdict = evaluateCampaign({ policies, campaign, at, zone });
  return {
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

/** The admission of one number inside the claim's transaction: the same rules that explain a refusal (D7.10). */
export function admission(assessment: Assessment, campaign: Campaign, zone: string): AdmitDial {
  const limits = { ...campaign, window: assessment.window };
  return (candidate, at) => {
    const decision = decideDial({
      campaign: limits,
      policies: assessment.policies,
      contact: { ...candidate, isPaused: false },
      doNotCall: candidate.doNotCall,
      recentAttempts: scope => candidate.recentDials[scope],
      at,
      zone,
    });
    if (decision.admit) return { kind: 'admit' };
    if (decision.reason === 'invalid_number') return { kind: 'fail', callStatus: 'invalid_number' };
    // Edits of do-not-call end these holds, edits of policies do not: such a hold never waits for what a policy says.
    const until = decision.reason === 'dnc' ? (candidate.doNotCall?.expiresAt ?? null) : decision.nextEligibleAt;
    return { kind: 'hold', reason: decision.reason, until };
  };
}

/** A stored policy whose type the rules do not know forbids dialling: its config cannot be read. */
function asRulePolicy(policy: Policy): RulePolicy {
  return { ...policy, isEnabled: policy.isEnabled ? 1 : 0 };
}
