import { dateText, type LocalTime, localTimeAt } from '#kernel/calendar.ts';
import { frequencyFreeAt } from './limit-kinds.ts';
import { type AbandonmentCount, abandonmentFreeAt, restedAt } from './person-kinds.ts';
import type { Policy, PolicyEffect, PolicyLimits, PolicyScope } from './policy-kind.ts';
import { isOpenAt, type Zones } from './week-schedule.ts';
import { type PreparedPolicies, type PreparedPolicy, windowGroup } from './prepare-policies.ts';

/**
 * The strictest of the campaign's own limits and every limit policy: lowest concurrency and retries, longest intervals.
 *
 * Source: D8.3
 */
export function effectiveLimits(campaign: PolicyLimits, prepared: PreparedPolicies): PolicyLimits {
  return prepared.entries.reduce((limits, { effect }) => (effect?.kind === 'limits' ? stricter(limits, effect.limits) : limits), {
    maxConcurrency: campaign.maxConcurrency,
    maxRetries: campaign.maxRetries,
    retryIntervalSeconds: campaign.retryIntervalSeconds,
    callIntervalMs: campaign.callIntervalMs,
  });
}

function stricter(a: PolicyLimits, b: Partial<PolicyLimits>): PolicyLimits {
  return {
    maxConcurrency: Math.min(a.maxConcurrency, b.maxConcurrency ?? Infinity),
    maxRetries: Math.min(a.maxRetries, b.maxRetries ?? Infinity),
    retryIntervalSeconds: Math.max(a.retryIntervalSeconds, b.retryIntervalSeconds ?? 0),
    callIntervalMs: Math.max(a.callIntervalMs, b.callIntervalMs ?? 0),
  };
}

/** The instant until which limits on abandoned calls make the campaign wait, UTC ms; null when they do not. */
export function abandonedUntil({ entries }: PreparedPolicies, counts: readonly AbandonmentCount[]): number | null {
  const waits = entries.flatMap(({ policy, effect }) => {
    const count = counts.find(({ policyId }) => policyId === policy.id);
    return effect?.kind === 'abandonment' && count ? (abandonmentFreeAt(effect.limit, count) ?? []) : [];
  });
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Reasons for which a policy refuses a dial; campaigns have more (`campaigns/decisions/skip-reason.ts`). */
type PolicySkipReason =
  | 'blocked_date'
  | 'outside_window'
  | 'blacklist'
  | 'frequency_cap'
  | 'consent_missing'
  | 'abandonment_limit'
  | 'abandoned_recently';

/** Source: OCS 2.9 "Evaluation result" */
export interface Verdict<P extends Policy = Policy> {
  allowed: boolean;
  /** Chinese reason of the first refusing policy in listing order; null when allowed. */
  reason: string | null;
  blockedBy: PolicySkipReason | null;
  /** Chinese text of the first refusing policy of each kind. */
  refusals: Partial<Record<PolicySkipReason, string>>;
  /** Refusing policies, matching windows and all limits, in listing order. */
  matchedPolicies: P[];
  effectiveLimits: PolicyLimits;
}

interface CampaignQuestion<P extends Policy = Policy> {
  policies: PreparedPolicies<P>;
  /** Limits set in the campaign itself. */
  campaign: PolicyLimits;
  /** UTC ms. */
  at: number;
  zones: Zones;
  /** Answered and abandoned calls of the campaign, by the limits that measure them. Absent: none. */
  abandonment?: readonly AbandonmentCount[];
}

export interface NumberQuestion<P extends Policy = Policy> extends CampaignQuestion<P> {
  dialKey: string;
  recentAttempts: RecentAttempts;
  /** Purposes for which the person's consent holds at `at`. Absent: none. */
  consents?: readonly string[];
  /** End of the last call to the number that was abandoned, UTC ms. Absent or null: none. */
  lastAbandonedAt?: number | null;
}

/**
 * Times of earlier dials to the number: in all campaigns for scope `global`, in this campaign for scope `campaign`.
 *
 * Units: UTC ms, any order, covering at least the last `frequencyDays` × 24 h; called only when a frequency limit applies
 */
export type RecentAttempts = (scope: PolicyScope) => readonly number[];

/** Result of one policy: not applicable, matched or refused. */
type Finding = { matched: boolean; refusal: { code: PolicySkipReason; problem: string } | null };

const SILENT: Finding = { matched: false, refusal: null };
const MATCHED: Finding = { matched: true, refusal: null };

/**
 * Evaluates a campaign's policies at `at` without regard to a number: dates, windows, limits.
 *
 * Source: D8.1, D8.3
 */
export function evaluateCampaign<P extends Policy>(question: CampaignQuestion<P>): Verdict<P> {
  return verdict(question, campaignFinder(question));
}

/**
 * Evaluates the policies for one number, exactly as a dial at `at` would.
 *
 * Source: OCS 2.9, D8.3, D8.4, D8.5
 */
export function evaluatePolicies<P extends Policy>(question: NumberQuestion<P>): Verdict<P> {
  const ofCampaign = campaignFinder(question);
  return verdict(question, entry => numberFinding(entry, question) ?? ofCampaign(entry));
}

/** The refusal of a number that no waiting ends; null when there is none. */
export function lastingRefusal({ policies: { entries }, dialKey, consents = [] }: NumberQuestion): 'blacklist' | 'consent_missing' | null {
  if (entries.some(({ effect }) => effect?.kind === 'number' && effect.blocksNumber(dialKey))) return 'blacklist';
  const lacksConsent = entries.some(({ effect }) => effect?.kind === 'consent' && !consents.includes(effect.purpose));
  return lacksConsent ? 'consent_missing' : null;
}

/**
 * The first instant from `at` on at which frequency limits, rests, number lists and consent allow the number; null when waiting does not
 * help. Dates and windows are not considered.
 */
export function numberFreeAt(question: NumberQuestion): number | null {
  if (lastingRefusal(question) !== null) return null;
  const waits = question.policies.entries.map(({ policy, effect }) => freeAtOf(policy, effect, question));
  return Math.max(question.at, ...waits);
}

function freeAtOf({ scope }: Policy, effect: PolicyEffect | null, { recentAttempts, lastAbandonedAt = null, at }: NumberQuestion): number {
  if (effect?.kind === 'frequency') return frequencyFreeAt(effect.limit, recentAttempts(scope), at);
  return effect?.kind === 'rest' && lastAbandonedAt !== null ? restedAt(effect.hours, lastAbandonedAt) : at;
}

function verdict<P extends Policy>(question: CampaignQuestion<P>, find: (entry: PreparedPolicy<P>) => Finding): Verdict<P> {
  const findings = question.policies.entries.map(entry => ({ policy: entry.policy, ...find(entry) }));
  const first = findings.find(({ refusal }) => refusal !== null);
  return {
    allowed: first === undefined,
    reason: first?.refusal ? textOf(first.policy, first.refusal) : null,
    blockedBy: first?.refusal?.code ?? null,
    refusals: Object.fromEntries(
      findings.toReversed().flatMap(({ policy, refusal }) => (refusal ? [[refusal.code, textOf(policy, refusal)]] : [])),
    ),
    matchedPolicies: findings.filter(({ matched }) => matched).map(({ policy }) => policy),
    effectiveLimits: effectiveLimits(question.campaign, question.policies),
  };
}

function textOf({ name }: Policy, { problem }: NonNullable<Finding['refusal']>): string {
  return `策略「${name}」：${problem}`;
}

/** In several zones a policy must allow the dial in each of them. */
function campaignFinder({ policies, at, zones, abandonment = [] }: CampaignQuestion): (entry: PreparedPolicy<Policy>) => Finding {
  const finders = zones.map(zone => zoneFinder(policies, localTimeAt(zone, at)));
  return entry => {
    if (entry.effect?.kind === 'abandonment') return abandonmentFinding(entry, abandonment, at);
    const findings = finders.map(find => find(entry));
    return findings.find(({ refusal }) => refusal !== null) ?? findings.find(({ matched }) => matched) ?? SILENT;
  };
}

function zoneFinder({ entries, makeUpDays }: PreparedPolicies, local: LocalTime): (entry: PreparedPolicy<Policy>) => Finding {
  const isInside = ({ policy, effect }: PreparedPolicy<Policy>) =>
    effect?.kind === 'window' && isOpenAt({ schedule: effect.schedule, isMakeUpDay: makeUpDays[policy.scope] }, local.day, local.minute);
  const openGroups = new Set(entries.filter(isInside).map(({ policy }) => windowGroup(policy)));
  return entry => campaignFinding(entry, local.day, { isInside, openGroups });
}

function campaignFinding(
  entry: PreparedPolicy<Policy>,
  day: number,
  { isInside, openGroups }: { isInside: (entry: PreparedPolicy<Policy>) => boolean; openGroups: ReadonlySet<string> },
): Finding {
  const { policy, effect } = entry;
  if (effect === null) return refuse('outside_window', '策略配置无效，已停止外呼');
  if (effect.kind === 'dates') return effect.blocksDay(day) ? refuse('blocked_date', `${dateText(day)} 禁止外呼`) : SILENT;
  if (effect.kind === 'limits') return MATCHED;
  if (effect.kind !== 'window') return SILENT;
  if (isInside(entry)) return MATCHED;
  return openGroups.has(windowGroup(policy)) ? SILENT : refuse('outside_window', '不在可呼时段内');
}

/** The facts of the campaign decide for all of its contacts. */
function abandonmentFinding({ policy, effect }: PreparedPolicy<Policy>, counts: readonly AbandonmentCount[], at: number): Finding {
  const count = counts.find(({ policyId }) => policyId === policy.id);
  if (effect?.kind !== 'abandonment' || count === undefined) return SILENT;
  const { hours, maxPercent } = effect.limit;
  const freeAt = abandonmentFreeAt(effect.limit, count);
  if (freeAt === null || freeAt <= at) return MATCHED;
  // Without the count, which changes while the campaign waits, so that one wait has one text and one alert.
  return refuse('abandonment_limit', `最近 ${hours} 小时接通后无人应答的来电超过真人接通的 ${maxPercent}%`);
}

/** Null when the policy does not depend on the number. */
function numberFinding({ policy, effect }: PreparedPolicy<Policy>, question: NumberQuestion): Finding | null {
  if (effect?.kind === 'number') return effect.blocksNumber(question.dialKey) ? refuse('blacklist', '号码被禁止外呼') : SILENT;
  if (effect?.kind === 'consent') return consentFinding(effect.purpose, question);
  if (effect?.kind === 'rest') return restFinding(effect.hours, question);
  if (effect?.kind !== 'frequency') return null;
  const { days, maxAttempts } = effect.limit;
  const freeAt = frequencyFreeAt(effect.limit, question.recentAttempts(policy.scope), question.at);
  return freeAt > question.at ? refuse('frequency_cap', `${days} 天内最多联系 ${maxAttempts} 次，已达上限`) : MATCHED;
}

function consentFinding(purpose: string, { consents = [] }: NumberQuestion): Finding {
  return consents.includes(purpose) ? MATCHED : refuse('consent_missing', `没有用途为「${purpose}」的有效同意`);
}

function restFinding(hours: number, { lastAbandonedAt = null, at }: NumberQuestion): Finding {
  if (lastAbandonedAt === null) return SILENT;
  return restedAt(hours, lastAbandonedAt) > at ? refuse('abandoned_recently', `接通后无人应答的来电之后 ${hours} 小时内不再呼叫`) : MATCHED;
}

function refuse(code: PolicySkipReason, problem: string): Finding {
  return { matched: true, refusal: { code, problem } };
}
