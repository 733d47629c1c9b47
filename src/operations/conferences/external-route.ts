import { conflict } from '#kernel/errors.ts';
import type { DialStore } from '#ports/dial-store.ts';
import type { LineStore } from '#ports/line-store.ts';
import type { Line } from '#ports/records.ts';
import type { CallTargets } from '#ports/softphone-store.ts';
import { CAMPAIGN_DEFAULTS } from '#rules/campaign-bounds.ts';
import { weightOf } from '#rules/monitoring.ts';
import { SKIP_REASON_TEXTS } from '#rules/skip-reason.ts';
import { numberRefusal, type NumberRefusalDeps } from '../agent-calls/number-refusal.ts';
import { assessPlan } from '#dialling/assess.ts';
import { evaluateDial, type EvaluateDeps } from '../policies/evaluate-policies.ts';

export interface ExternalRouteDeps extends Omit<EvaluateDeps, 'policies'>, Omit<NumberRefusalDeps, 'policies'> {
  policies: EvaluateDeps['policies'] & NumberRefusalDeps['policies'];
  dials: Pick<DialStore, 'loadPlan'>;
  lines: Pick<LineStore, 'list'>;
  callTargets: Pick<CallTargets, 'isListed'>;
}

/** Over which lines and by which rules somebody outside is called from a conference. */
export interface ExternalRoute {
  /** Slots stand under it; 0: under none. */
  campaignId: number;
  weight: number;
  campaignMax: number;
  lines: Line[];
}

/** Slots of people's own calls stand under no campaign. */
const NO_CAMPAIGN = 0;
const UNLIMITED = 1_000_000;
/** Lines of the installation, when no campaign names its own. */
const MAX_LINES = 1_000;

/**
 * The campaign's lines and limits; without a campaign every enabled line.
 *
 * Errors: CONFLICT when the campaign is gone, or no line is enabled
 */
export async function externalRoute(deps: ExternalRouteDeps, campaignId: number | null): Promise<ExternalRoute> {
  if (campaignId === null) {
    const lines = (await deps.lines.list(MAX_LINES)).rows.filter(line => line.isEnabled);
    if (lines.length === 0) throw conflict('没有可用的外呼线路');
    return { campaignId: NO_CAMPAIGN, weight: weightOf(CAMPAIGN_DEFAULTS.monitoringPriority), campaignMax: UNLIMITED, lines };
  }
  const plan = await deps.dials.loadPlan(campaignId);
  if (plan === null) throw conflict('会议所属的活动不存在，无法外呼号码');
  return {
    campaignId,
    weight: weightOf(plan.campaign.businessConfig.monitoringPriority ?? CAMPAIGN_DEFAULTS.monitoringPriority),
    campaignMax: assessPlan(plan, deps.timeZone).limits.maxConcurrency,
    lines: plan.lines,
  };
}

/**
 * Why the number may not be called now, in Chinese; null: it may. Without a campaign: the do-not-call list and the block policies of all campaigns.
 *
 * Source: D8.2, D12.3
 */
export async function externalRefusal(deps: ExternalRouteDeps, campaignId: number | null, phoneNumber: string): Promise<string | null> {
  if (campaignId === null) {
    if (await deps.callTargets.isListed(phoneNumber)) return SKIP_REASON_TEXTS.dnc;
    return numberRefusal(deps, phoneNumber, null);
  }
  const verdict = await evaluateDial(deps, { campaignId, phoneNumber });
  return verdict.allowed ? null : (verdict.reason ?? '');
}
