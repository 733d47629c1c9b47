import { notFound } from '#kernel/errors.ts';
import { type CampaignProgress, readProgress } from '#campaigns/progress.ts';
import type { Waiting } from '#contacts/contact-filter.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';
import { SKIP_REASON_TEXTS, SKIP_REASONS, type SkipReason, STANDSTILL_TEXTS } from '#campaigns/decisions/skip-reason.ts';
import { assessPlan, type Place } from './decisions/assess.ts';
import { commonRefusal } from './decisions/dial-admission.ts';
import { heldByReason } from './preflight-candidates.ts';
import type { DialPlan, DialStore } from './dial-store.ts';

export interface ExplainCampaignsDeps extends ListDeps, Place {
  dials: Pick<DialStore, 'loadPlans'>;
}

export interface NotDialedCount {
  reason: SkipReason;
  /** Chinese. */
  message: string;
  contacts: number;
}

/**
 * Number of contacts of each campaign that are not dialled now, by reason; the most frequent first, without reasons that do not occur.
 *
 * Shape:  by campaign, without unknown ones
 * Source: D7.10
 */
export async function explainCampaigns(deps: ExplainCampaignsDeps, campaignIds: readonly number[]): Promise<Map<number, NotDialedCount[]>> {
  const [plans, held, progress] = await Promise.all([
    deps.dials.loadPlans(campaignIds),
    heldByReason(deps.db, campaignIds),
    readProgress(deps, campaignIds),
  ]);
  const planOf = new Map(plans.map(plan => [plan.campaign.id, plan]));
  return new Map(
    progress.flatMap(each => {
      const plan = planOf.get(each.campaignId);
      return plan ? [[each.campaignId, countReasons(plan, { held: held.get(each.campaignId) ?? {}, progress: each, place: deps })]] : [];
    }),
  );
}

/** The contacts that `explainCampaigns` counts for a reason. Errors: NOT_FOUND */
export async function waitingFor(
  deps: Pick<ExplainCampaignsDeps, 'dials' | keyof Place>,
  campaignId: number,
  reason: SkipReason,
): Promise<Waiting> {
  const [plan] = await deps.dials.loadPlans([campaignId]);
  if (plan === undefined) throw notFound('活动');
  return { reason, isCommon: commonReason(plan, deps) === reason };
}

interface ReasonInput {
  held: Readonly<Record<string, number>>;
  progress: CampaignProgress;
  place: Place;
}

function countReasons(plan: DialPlan, { held, progress, place }: ReasonInput): NotDialedCount[] {
  const counts = new Map<SkipReason, number>();
  const add = (reason: SkipReason, contacts: number) => counts.set(reason, (counts.get(reason) ?? 0) + contacts);
  for (const reason of SKIP_REASONS) add(reason, held[reason] ?? 0);
  for (const [reason, contacts] of ownReasons(plan, progress, held)) add(reason, contacts);
  const common = commonReason(plan, place);
  if (common !== null) add(common, plan.counts.pending + plan.counts.dueRetries);
  return Array.from(counts, ([reason, contacts]) => ({ reason, message: messageOf(reason, plan), contacts }))
    .filter(({ contacts }) => contacts > 0)
    .sort((a, b) => b.contacts - a.contacts);
}

/** Reasons that concern the individual contact. */
function ownReasons({ counts }: DialPlan, progress: CampaignProgress, held: ReasonInput['held']): [SkipReason, number][] {
  const unreachable = held.invalid_number ?? 0;
  return [
    ['paused', progress.paused],
    ['attempts_exhausted', progress.failed - progress.awaitingRetry - unreachable],
    ['retry_wait', counts.retryable - counts.dueRetries],
  ];
}

/** Reason that stops all otherwise dialable contacts; null when there is none. */
function commonReason(plan: DialPlan, place: Place): SkipReason | null {
  const { campaign } = plan;
  const { windowDecision, verdict } = assessPlan(plan, place);
  const facts = { isPaused: campaign.status !== 'running', policy: verdict.blockedBy, isWindowOpen: windowDecision.open };
  return commonRefusal(facts) ?? plan.phaseRefusal;
}

function messageOf(reason: SkipReason, { campaign, phaseRefusal }: DialPlan): string {
  if (reason === 'paused' && campaign.status !== 'running') return STANDSTILL_TEXTS[campaign.status];
  return (reason === phaseRefusal ? campaign.phaseReason : null) ?? SKIP_REASON_TEXTS[reason];
}
