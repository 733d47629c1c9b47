import { dateText, localTimeAt } from '#kernel/calendar.ts';
import type { LocalTime } from '#kernel/calendar.ts';
import { isOpenAt } from './week-schedule.ts';
import { frequencyFreeAt } from './contact-frequency-limit.ts';
import { effectiveLimits } from './effective-limits.ts';
import type { Policy, PolicyLimits, PolicyScope } from './policy.ts';
import type { PreparedPolicies, PreparedPolicy } from './prepare-policies.ts';

/** Reasons for which a policy refuses a dial; campaigns have more (`campaigns/decisions/skip-reason.ts`). */
export type PolicySkipReason = 'blocked_date' | 'outside_window' | 'blacklist' | 'frequency_cap';

/** Source: OCS 2.9 "Evaluation result" */
export interface Verdict<P extends Policy = Policy> {
  allowed: boolean;
  /** Chinese reason of the first refusing policy in listing order; null when allowed. */
  reason: string | null;
  blockedBy: PolicySkipReason | null;
  /** Refusing policies, matching windows and all limits, in listing order. */
  matchedPolicies: P[];
  effectiveLimits: PolicyLimits;
}

export interface CampaignQuestion<P extends Policy = Policy> {
  policies: PreparedPolicies<P>;
  /** Limits set in the campaign itself. */
  campaign: PolicyLimits;
  /** UTC ms. */
  at: number;
  /** Business time zone. */
  zone: string;
}

export interface NumberQuestion<P extends Policy = Policy> extends CampaignQuestion<P> {
  dialKey: string;
  recentAttempts: RecentAttempts;
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

/**
 * The first instant from `at` on at which frequency limits and number lists allow the number; null when it is listed.
 * Dates and windows are not considered.
 */
export function numberFreeAt(question: NumberQuestion): number | null {
  let freeAt = question.at;
  for (const { policy, effect } of question.policies.entries) {
    if (effect?.kind === 'number' && effect.blocksNumber(question.dialKey)) return null;
    if (effect?.kind === 'frequency') {
      freeAt = Math.max(freeAt, frequencyFreeAt(effect.limit, question.recentAttempts(policy.scope), question.at));
    }
  }
  return freeAt;
}

function verdict<P extends Policy>(question: CampaignQuestion<P>, find: (entry: PreparedPolicy<P>) => Finding): Verdict<P> {
  const findings = question.policies.entries.map(entry => ({ policy: entry.policy, ...find(entry) }));
  const first = findings.find(({ refusal }) => refusal !== null);
  return {
    allowed: first === undefined,
    reason: first?.refusal ? `策略「${first.policy.name}」：${first.refusal.problem}` : null,
    blockedBy: first?.refusal?.code ?? null,
    matchedPolicies: findings.filter(({ matched }) => matched).map(({ policy }) => policy),
    effectiveLimits: effectiveLimits(question.campaign, question.policies),
  };
}

function campaignFinder({ policies, at, zone }: CampaignQuestion): (entry: PreparedPolicy<Policy>) => Finding {
  const local = localTimeAt(zone, at);
  const openScopes = new Set(policies.entries.filter(entry => isInsideWindow(entry, local)).map(({ policy }) => policy.scope));
  return entry => campaignFinding(entry, local, openScopes);
}

function campaignFinding(entry: PreparedPolicy<Policy>, local: LocalTime, openScopes: ReadonlySet<PolicyScope>): Finding {
  const { policy, effect } = entry;
  if (effect === null) return refuse('outside_window', '策略配置无效，已停止外呼');
  if (effect.kind === 'dates') return effect.blocksDay(local.day) ? refuse('blocked_date', `${dateText(local.day)} 禁止外呼`) : SILENT;
  if (effect.kind === 'limits') return MATCHED;
  if (effect.kind !== 'window') return SILENT;
  if (isInsideWindow(entry, local)) return MATCHED;
  return openScopes.has(policy.scope) ? SILENT : refuse('outside_window', '不在可呼时段内');
}

/** Null when the policy does not depend on the number. */
function numberFinding({ policy, effect }: PreparedPolicy<Policy>, question: NumberQuestion): Finding | null {
  if (effect?.kind === 'number') return effect.blocksNumber(question.dialKey) ? refuse('blacklist', '号码被禁止外呼') : SILENT;
  if (effect?.kind !== 'frequency') return null;
  const { days, maxAttempts } = effect.limit;
  const freeAt = frequencyFreeAt(effect.limit, question.recentAttempts(policy.scope), question.at);
  return freeAt > question.at ? refuse('frequency_cap', `${days} 天内最多联系 ${maxAttempts} 次，已达上限`) : MATCHED;
}

function isInsideWindow({ effect }: PreparedPolicy<Policy>, local: LocalTime): boolean {
  return effect?.kind === 'window' && isOpenAt(effect.schedule, local.weekday, local.minute);
}

function refuse(code: PolicySkipReason, problem: string): Finding {
  return { matched: true, refusal: { code, problem } };
}
