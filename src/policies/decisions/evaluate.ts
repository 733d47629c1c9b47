import { dateText, type LocalTime, localTimeAt } from '#kernel/calendar.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { frequencyFreeAt } from './limit-kinds.ts';
import type { Policy, PolicyEffect, PolicyLimits, PolicyScope } from './policy-kind.ts';
import { readPolicyConfig } from './policy-table.ts';
import {
  ALWAYS,
  type DatedSchedule,
  isOpenAt,
  jointSchedules,
  NEVER,
  type OpenHours,
  uniteSchedules,
  type Zones,
} from './week-schedule.ts';

export interface PreparedPolicy<P extends Policy> {
  policy: P;
  /** Null when the stored config is invalid: the policy then forbids every dial. */
  effect: PolicyEffect | null;
}

/** The enabled policies of a campaign, parsed once so that checking a number or an instant is cheap. */
export interface PreparedPolicies<P extends Policy = Policy> {
  /** By priority descending, then global before campaign, then id. */
  entries: readonly PreparedPolicy<P>[];
  /** Hours in which the dates and windows of all policies together allow dialling. */
  hours: OpenHours;
  /** The make-up days that windows of each scope heed; null when there are none. */
  makeUpDays: MakeUpDays;
  /** Longest `days` of any frequency limit; 0 means none, and earlier attempts need not be read. */
  frequencyDays: number;
}

/**
 * Selects and parses the policies that apply to a campaign: enabled ones, global or its own.
 *
 * Shape:  `campaignId` null selects the global ones (calls outside a campaign); `region` applies to numbers without a country code
 * Source: OCS 4.9, D8.2, D8.3
 */
export function preparePolicies<P extends Policy>(policies: readonly P[], campaignId: number | null, region: Region): PreparedPolicies<P> {
  const entries = policies
    .filter(policy => isEnabled(policy) && (policy.scope === 'global' || policy.campaignId === campaignId))
    .sort(byPriority)
    .map(policy => ({ policy, effect: readEffect(policy, region) }));
  const makeUpDays = { global: makeUpDaysOf(entries, ['global']), campaign: makeUpDaysOf(entries, ['global', 'campaign']) };
  return { entries, hours: jointHours(entries, makeUpDays), makeUpDays, frequencyDays: longestFrequency(entries) };
}

type MakeUpDays = Readonly<Record<PolicyScope, DatedSchedule['isMakeUpDay']>>;

/** A campaign's own calendar does not loosen the windows of all campaigns. */
function makeUpDaysOf(entries: readonly PreparedPolicy<Policy>[], scopes: readonly PolicyScope[]): DatedSchedule['isMakeUpDay'] {
  const calendars = entries.flatMap(({ policy, effect }) =>
    effect?.kind === 'dates' && effect.isMakeUpDay && scopes.includes(policy.scope) ? [effect.isMakeUpDay] : [],
  );
  return calendars.length === 0 ? null : day => calendars.some(isMakeUpDay => isMakeUpDay(day));
}

function isEnabled({ isEnabled }: Policy): boolean {
  return isEnabled === true || isEnabled === 1;
}

function readEffect(policy: Policy, region: Region): PolicyEffect | null {
  const read = readPolicyConfig(policy.type, policy.config, region);
  return read.ok ? read.value : null;
}

function byPriority(a: Policy, b: Policy): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.scope !== b.scope) return a.scope === 'global' ? -1 : 1;
  return a.id - b.id;
}

function jointHours(entries: readonly PreparedPolicy<Policy>[], makeUpDays: MakeUpDays): OpenHours {
  const unreadable = entries.some(({ effect }) => effect === null);
  const blockers = entries.flatMap(({ effect }) => (effect?.kind === 'dates' ? [effect.blocksDay] : []));
  return {
    schedules: unreadable
      ? [{ schedule: NEVER, isMakeUpDay: null }]
      : jointSchedules([scopeSchedule(entries, 'global', makeUpDays), scopeSchedule(entries, 'campaign', makeUpDays)]),
    blocksDay: blockers.length === 0 ? null : day => blockers.some(blocksDay => blocksDay(day)),
  };
}

/** Within a scope any one window suffices; a scope without windows is always open. */
function scopeSchedule(entries: readonly PreparedPolicy<Policy>[], scope: PolicyScope, makeUpDays: MakeUpDays): DatedSchedule {
  const windows = entries.flatMap(({ policy, effect }) => (policy.scope === scope && effect?.kind === 'window' ? [effect.schedule] : []));
  return { schedule: windows.length === 0 ? ALWAYS : uniteSchedules(windows), isMakeUpDay: makeUpDays[scope] };
}

function longestFrequency(entries: readonly PreparedPolicy<Policy>[]): number {
  return entries.reduce((days, { effect }) => (effect?.kind === 'frequency' ? Math.max(days, effect.limit.days) : days), 0);
}

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

/** Reasons for which a policy refuses a dial; campaigns have more (`campaigns/decisions/skip-reason.ts`). */
type PolicySkipReason = 'blocked_date' | 'outside_window' | 'blacklist' | 'frequency_cap';

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

interface CampaignQuestion<P extends Policy = Policy> {
  policies: PreparedPolicies<P>;
  /** Limits set in the campaign itself. */
  campaign: PolicyLimits;
  /** UTC ms. */
  at: number;
  zones: Zones;
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

/** In several zones a policy must allow the dial in each of them. */
function campaignFinder({ policies, at, zones }: CampaignQuestion): (entry: PreparedPolicy<Policy>) => Finding {
  const finders = zones.map(zone => zoneFinder(policies, localTimeAt(zone, at)));
  return entry => {
    const findings = finders.map(find => find(entry));
    return findings.find(({ refusal }) => refusal !== null) ?? findings.find(({ matched }) => matched) ?? SILENT;
  };
}

function zoneFinder({ entries, makeUpDays }: PreparedPolicies, local: LocalTime): (entry: PreparedPolicy<Policy>) => Finding {
  const isInside = ({ policy, effect }: PreparedPolicy<Policy>) =>
    effect?.kind === 'window' && isOpenAt({ schedule: effect.schedule, isMakeUpDay: makeUpDays[policy.scope] }, local.day, local.minute);
  const openScopes = new Set(entries.filter(isInside).map(({ policy }) => policy.scope));
  return entry => campaignFinding(entry, local.day, { isInside, openScopes });
}

function campaignFinding(
  entry: PreparedPolicy<Policy>,
  day: number,
  { isInside, openScopes }: { isInside: (entry: PreparedPolicy<Policy>) => boolean; openScopes: ReadonlySet<PolicyScope> },
): Finding {
  const { policy, effect } = entry;
  if (effect === null) return refuse('outside_window', '策略配置无效，已停止外呼');
  if (effect.kind === 'dates') return effect.blocksDay(day) ? refuse('blocked_date', `${dateText(day)} 禁止外呼`) : SILENT;
  if (effect.kind === 'limits') return MATCHED;
  if (effect.kind !== 'window') return SILENT;
  if (isInside(entry)) return MATCHED;
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

function refuse(code: PolicySkipReason, problem: string): Finding {
  return { matched: true, refusal: { code, problem } };
}
