import { notFound } from '#kernel/errors.ts';
import type { DialPlan, DialStore } from '#ports/dial-store.ts';
import type { CampaignProgress, GraphStore } from '#ports/graph-store.ts';
import type { PreflightStore } from '#ports/preflight-store.ts';
import { phaseRefusal } from '#rules/phase-refusal.ts';
import { SKIP_REASON_TEXTS, SKIP_REASONS, type SkipReason } from '#rules/skip-reason.ts';
import { assessPlan } from './assess.ts';

export interface ExplainCampaignDeps {
  graph: Pick<GraphStore, 'progress'>;
  preflight: Pick<PreflightStore, 'heldByReason'>;
  dials: Pick<DialStore, 'loadPlan'>;
  /** Business time zone. */
  zone: string;
}

export interface NotDialedCount {
  reason: SkipReason;
  /** Chinese. */
  message: string;
  contacts: number;
}

/**
 * How many contacts of a campaign are not dialled now, by reason; the most frequent reason first, only reasons that somebody has.
 *
 * Errors: NOT_FOUND
 * Source: D7.10
 */
export async function explainCampaign(deps: ExplainCampaignDeps, campaignId: number): Promise<NotDialedCount[]> {
  const [plan, held, [progress]] = await Promise.all([
    deps.dials.loadPlan(campaignId),
    deps.preflight.heldByReason(campaignId),
    deps.graph.progress([campaignId]),
  ]);
  if (!plan || !progress) throw notFound('活动');
  const counts = new Map<SkipReason, number>();
  const add = (reason: SkipReason, contacts: number) => counts.set(reason, (counts.get(reason) ?? 0) + contacts);
  for (const reason of SKIP_REASONS) add(reason, held[reason] ?? 0);
  for (const [reason, contacts] of ownReasons(plan, progress)) add(reason, contacts);
  const common = commonReason(plan, deps.zone);
  if (common !== null) add(common, plan.counts.pending + plan.counts.dueRetries);
  return Array.from(counts, ([reason, contacts]) => ({ reason, message: messageOf(reason, plan), contacts }))
    .filter(({ contacts }) => contacts > 0)
    .sort((a, b) => b.contacts - a.contacts);
}

/** Reasons that lie in the contact. */
function ownReasons({ counts }: DialPlan, progress: CampaignProgress): [SkipReason, number][] {
  return [
    ['paused', progress.paused],
    ['attempts_exhausted', progress.failed - progress.awaitingRetry],
    ['retry_wait', counts.retryable - counts.dueRetries],
  ];
}

/** What keeps every contact that could be dialled now; null when nothing does. */
function commonReason(plan: DialPlan, zone: string): SkipReason | null {
  if (plan.campaign.status !== 'running') return 'paused';
  const { windowDecision, verdict } = assessPlan(plan, zone);
  if (!windowDecision.open) return 'outside_window';
  return verdict.blockedBy ?? phaseRefusal(plan.campaign.phase);
}

function messageOf(reason: SkipReason, { campaign }: DialPlan): string {
  return (reason === phaseRefusal(campaign.phase) ? campaign.phaseReason : null) ?? SKIP_REASON_TEXTS[reason];
}
