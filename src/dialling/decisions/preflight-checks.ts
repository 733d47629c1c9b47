import { refusalOf } from '#actors/campaign/machine.ts';
import { type DialCounts, hasWork, type MonitoringMode } from '#campaigns/campaign.ts';
import { type CampaignStatus, NO_SCRIPT_TEXT } from '#campaigns/decisions/campaign-states.ts';
import type { Line } from '#lines/line.ts';
import { type PreparedWindow, WINDOW_TEXTS, type WindowCause } from '#policies/decisions/calling-window.ts';
import type { PolicyLimits } from '#policies/decisions/policy-kind.ts';
import { findRule } from '#policies/decisions/rule-packs.ts';
import type { RuntimeRoom } from '#runtimes/survey-runtimes.ts';
import type { DialCandidate } from '../dial-store.ts';
import type { DayHours } from './day-hours.ts';
import { type Assessment, campaignClosesAt, campaignOpensAt, decideContact } from './assess.ts';
import type { PreparedPolicies } from '#policies/decisions/prepare-policies.ts';

/** The properties of a contact that the check before a start needs. Source: D5.6 */
export type PreflightCandidate = Pick<
  DialCandidate,
  'dialKey' | 'attemptCount' | 'callbackAt' | 'zones' | 'doNotCall' | 'recentDials' | 'consents' | 'lastAbandonedAt'
> & {
  campaignId: number;
};

/** Contacts that a start would skip now, by kind. Source: D5.6 */
export interface SkipCounts {
  dnc: number;
  blacklist: number;
  frequency: number;
  window: number;
  invalid: number;
}

/** Reasons of campaigns/decisions/skip-reason.ts that count as skips; the others are temporary or end by dialling. */
const KIND_OF_REASON: Readonly<Record<string, keyof SkipCounts>> = {
  dnc: 'dnc',
  blacklist: 'blacklist',
  frequency_cap: 'frequency',
  abandoned_recently: 'frequency',
  consent_missing: 'blacklist',
  outside_window: 'window',
  blocked_date: 'window',
  invalid_number: 'invalid',
  short_code: 'invalid',
};

/**
 * Counts skips with the code that admits dials, so that the page never shows another reason than the dialler.
 *
 * Source: D5.6, D7.10
 */
export function countSkips(
  held: Readonly<Record<string, number>>,
  candidates: readonly PreflightCandidate[],
  assessment: Assessment,
): SkipCounts {
  const counts: SkipCounts = { dnc: 0, blacklist: 0, frequency: 0, window: 0, invalid: 0 };
  const add = (reason: string, count: number) => {
    const kind = KIND_OF_REASON[reason];
    if (kind) counts[kind] += count;
  };
  for (const [reason, count] of Object.entries(held)) add(reason, count);
  for (const candidate of candidates) {
    const decision = decideContact(assessment, { ...candidate, lastEndedAt: null });
    if (!decision.admit) add(decision.reason, 1);
  }
  return counts;
}

/** Most openings examined; a longer campaign has no useful estimate. */
const MAX_OPENINGS = 366;

export interface FinishQuestion {
  /** Dials still to be made. */
  dials: number;
  /** Typical time for which one dial holds its slot, in ms. */
  callMs: number;
  limits: PolicyLimits;
  lines: readonly Line[];
  window: PreparedWindow;
  policies: PreparedPolicies;
  /** UTC ms. */
  at: number;
  /** The campaign's zone: contacts elsewhere are assumed to be as easy to reach. */
  zone: string;
}

/**
 * Estimates when the last contact is dialled, if every slot is used whenever dialling is open and no retry follows.
 *
 * Units:  UTC ms
 * Shape:  null when there is nothing to dial, no slot, or no end within a year of openings
 * Source: D5.6 `estimatedFinishAt`
 */
export function estimateFinish(question: FinishQuestion): number | null {
  const { window, policies, zone } = question;
  let remainingMs = openTimeNeededMs(question);
  if (remainingMs === null) return null;
  let from = question.at;
  for (let opening = 0; opening < MAX_OPENINGS; opening++) {
    const opensAt = campaignOpensAt(window, policies, from, [zone]);
    if (opensAt === null) return null;
    const closesAt = campaignClosesAt(window, policies, opensAt, [zone]) ?? Infinity;
    if (opensAt + remainingMs <= closesAt) return Math.round(opensAt + remainingMs);
    remainingMs -= closesAt - opensAt;
    from = closesAt;
  }
  return null;
}

function openTimeNeededMs({ dials, callMs, limits, lines }: FinishQuestion): number | null {
  const slots = Math.min(limits.maxConcurrency, slotsOf(lines));
  if (dials === 0 || slots === 0) return null;
  return Math.max((Math.ceil(dials / slots) || 1) * callMs, dials * limits.callIntervalMs);
}

/** Number of calls that the lines can carry at once. */
export function slotsOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + lineSlots(line), 0);
}

/** A pool carries at most as many calls as its enabled numbers together. */
function lineSlots({ isEnabled, allocationMode, maxConcurrency, numbers }: Line): number {
  if (!isEnabled) return 0;
  if (allocationMode === 'single_shared') return maxConcurrency;
  const pool = numbers.filter(number => number.isEnabled).reduce((sum, number) => sum + number.maxConcurrency, 0);
  return Math.min(maxConcurrency, pool);
}

/** Daily open time below which a warning is given. */
const MIN_DAY_MINUTES = 60;
/** Most variables or numbers named in a message. */
const MAX_NAMED = 5;
const SAMPLED = '（按最先呼叫的部分联系人统计）';

type CheckLevel = (typeof CHECK_LEVELS)[number];

export interface PreflightCheck {
  code: string;
  level: CheckLevel;
  /** Chinese text. */
  message: string;
}

interface PreflightFacts extends DayHours {
  status: CampaignStatus;
  counts: DialCounts;
  businessEnabled: boolean;
  hasScript: boolean;
  /** Whether runtimes of the business bring their own flow, so that no script is needed. */
  runtimeBringsFlow: boolean;
  /** Variables of the script that contacts to be dialled lack. */
  lacking: readonly LackingVariable[];
  runtimes: RuntimeRoom;
  enabledLines: number;
  /** Enabled lines with a free slot. */
  freeLines: number;
  /** Calls that the enabled lines with their enabled numbers can carry at once. */
  slots: number;
  /** Limit of the campaign and its policies. */
  maxConcurrency: number;
  /** Disabled numbers of enabled lines. */
  restingNumbers: readonly string[];
  /** The number of dials that the bounds of caller numbers allow today; null when a number has none. */
  numberRoom: NumberRoom | null;
  window: { openNow: boolean; nextOpenAt: number | null; cause: WindowCause | null };
  policies: { allowed: boolean; reason: string | null };
  /** Rules of rule packs that bind the campaign. */
  ruleIds: readonly string[];
  cell: { id: string | null; declared: boolean; reachable: boolean };
  monitoring: { mode: MonitoringMode | null; capacity: number | null };
  /** Gateways of enabled lines that replace the From header which the line sets. */
  closedGateways: readonly string[];
  skips: SkipCounts;
  /** Whether `skips` covers only a part of the contacts. */
  skipsSampled: boolean;
  callbacks: PromisedCount;
}

/** Callbacks of a campaign that are promised. */
export interface PromisedCount {
  promised: number;
  /** Those of them that are due at the planned end or later. */
  beyondEnd: number;
}

/**
 * Returns one check for each condition under which a start leads to calls: an error prevents the start, a warning does not.
 *
 * Shape:  every code appears once, in a fixed order
 * Source: D5.6, OCS 4.5
 */
export function preflightChecks(facts: PreflightFacts): PreflightCheck[] {
  return [
    { code: 'STATUS', ...statusCheck(facts) },
    { code: 'CONTACTS', ...contactsCheck(facts) },
    { code: 'LINES', ...linesCheck(facts) },
    { code: 'BUSINESS', ...(facts.businessEnabled ? ok('业务已启用') : warning('业务未启用或已不存在')) },
    { code: 'SCRIPT', ...scriptCheck(facts) },
    { code: 'RUNTIME', ...runtimeCheck(facts) },
    { code: 'WINDOW', ...windowCheck(facts) },
    { code: 'POLICIES', ...(facts.policies.allowed ? ok('策略允许外呼') : warning(facts.policies.reason ?? '策略当前禁止外呼')) },
    { code: 'RULE_PACKS', ...rulePacksCheck(facts) },
    { code: 'CELL', ...cellCheck(facts) },
    { code: 'MONITORING', ...monitoringCheck(facts) },
    { code: 'SKIPS', ...skipsCheck(facts) },
    { code: 'CALLER_ID', ...callerIdCheck(facts) },
    { code: 'VARIABLES', ...variablesCheck(facts) },
    { code: 'CONCURRENCY', ...concurrencyCheck(facts) },
    { code: 'HOURS', ...hoursCheck(facts) },
    { code: 'NIGHT', ...nightCheck(facts) },
    { code: 'NUMBERS', ...numbersCheck(facts) },
    { code: 'NUMBER_CAPS', ...numberCapsCheck(facts) },
    { code: 'CALLBACKS', ...callbacksCheck(facts) },
  ];
}

type Finding = Omit<PreflightCheck, 'code'>;

function statusCheck({ status }: PreflightFacts): Finding {
  if (status === 'running') return ok('活动正在运行');
  // Contacts and script have their own checks.
  const refusal = refusalOf(status, 'running', { type: 'startRequested', hasWork: true, hasFlow: true, by: '' });
  return refusal === null ? ok('当前状态可以启动') : error(refusal.message);
}

function contactsCheck({ counts }: PreflightFacts): Finding {
  const { pending, held, retryable, active } = counts;
  if (!hasWork(counts)) return error('没有待呼叫或可重试的联系人');
  if (pending + retryable + active === 0) return warning(`${held} 个联系人都在等待限制解除，启动后暂不会呼出`);
  return ok(`待呼叫 ${pending + held} 个，可重试 ${retryable} 个，通话中 ${active} 个`);
}

function linesCheck({ enabledLines, freeLines, slots }: PreflightFacts): Finding {
  if (enabledLines === 0) return error('没有启用的线路');
  if (slots === 0) return error('启用的线路没有启用的号码');
  return freeLines === 0 ? warning('所有线路的并发已满') : ok(`${enabledLines} 条线路可用`);
}

function scriptCheck({ hasScript, runtimeBringsFlow }: PreflightFacts): Finding {
  if (hasScript) return ok('已有可用话术');
  return runtimeBringsFlow ? ok('该业务的话术引擎自带流程，无需话术') : error(NO_SCRIPT_TEXT);
}

function variablesCheck({ lacking, skipsSampled }: PreflightFacts): Finding {
  if (lacking.length === 0) return ok('话术所需变量齐全');
  const named = lacking
    .slice(0, MAX_NAMED)
    .map(
      ({ name, contacts, nodes }) =>
        `「${name}」缺 ${contacts} 人${nodes.length === 0 ? '' : `（节点${nodes.map(node => `「${node}」`).join('')}）`}`,
    );
  const others = lacking.length > MAX_NAMED ? ` 等 ${lacking.length} 个变量` : '';
  return warning(`话术所需变量在名单中缺失：${named.join('，')}${others}，念到时会留空${skipsSampled ? SAMPLED : ''}`);
}

function concurrencyCheck({ maxConcurrency, slots }: PreflightFacts): Finding {
  // A missing line is reported by its own check.
  if (slots === 0 || maxConcurrency <= slots) return ok(`并发 ${maxConcurrency} 不超过线路的并发`);
  return warning(`活动并发 ${maxConcurrency} 超过线路的并发 ${slots}，最多同时呼叫 ${slots} 个`);
}

function hoursCheck({ longestDayMinutes: minutes }: PreflightFacts): Finding {
  if (minutes === null || minutes >= MIN_DAY_MINUTES) return ok('每天的可呼时间不少于 1 小时');
  return warning(`每天最多只有 ${minutes} 分钟可呼，不足 1 小时`);
}

/** Hours that reach into the night are mostly a start and an end that were interchanged. */
function nightCheck({ nightMinutes }: PreflightFacts): Finding {
  if (nightMinutes === 0) return ok('设定的可呼时间不含夜间');
  return warning(`可呼时间含夜间：22:00 到 07:00 之间每天最多 ${nightMinutes} 分钟可呼，请核对起止时间`);
}

function numbersCheck({ restingNumbers: numbers }: PreflightFacts): Finding {
  if (numbers.length === 0) return ok('线路的号码均已启用');
  const named = numbers.slice(0, MAX_NAMED).join('、');
  return warning(`线路有 ${numbers.length} 个号码已停用，不会用来外呼：${named}${numbers.length > MAX_NAMED ? ' 等' : ''}`);
}

/** The room that the bounds of enabled lines' caller numbers leave. Source: D4.7 */
export interface NumberRoom {
  /** Further dials today; null: any number. */
  leftToday: number | null;
  /** Further dials now; 0: every number has made its dials, or rests. */
  leftNow: number | null;
  /** First end of a rest, `HH:MM` or a date with it; null when unknown. */
  nextAt: string | null;
}

function numberCapsCheck({ numberRoom, counts }: PreflightFacts): Finding {
  if (numberRoom === null) return ok('主叫号码没有呼叫上限');
  const { leftToday, leftNow, nextAt } = numberRoom;
  const waiting = counts.pending + counts.retryable;
  if (leftNow === 0) return warning(`主叫号码都已达到呼叫上限或在休息${nextAt === null ? '' : `，最早 ${nextAt} 可再呼叫`}`);
  if (leftToday === null || waiting <= leftToday) return ok('主叫号码的上限足够今天的呼叫');
  return warning(`主叫号码今天最多还能呼叫 ${leftToday} 次，待呼叫 ${waiting} 个，其余要等到明天`);
}

function runtimeCheck({ status, runtimes: { runtimeMode, isOpenEnded, taking, serving, freePlaces } }: PreflightFacts): Finding {
  if (runtimeMode === 'rest') return ok('话术引擎自行在交换机上接听，无需登记');
  if (freePlaces > 0) return ok(`话术引擎空闲名额 ${freePlaces} 个`);
  if (isOpenEnded) return ok('有未登记的话术引擎在线，名额不限');
  if (taking === 0) return warning(`没有在线的话术引擎，${waits({ status })}`);
  return warning(`${serving === 0 ? '在线的话术引擎都不接该业务' : '话术引擎没有空闲名额'}，${waits({ status })}`);
}

/** Consequence of a start: future while the campaign is stopped, present while it runs. */
const waits = ({ status }: Pick<PreflightFacts, 'status'>) => (status === 'running' ? '正在等待' : '启动后将等待');

function windowCheck({ status, window }: PreflightFacts): Finding {
  if (window.openNow) return ok('当前在可呼时段内');
  const reason = window.cause === null ? '当前不在可呼时段内' : WINDOW_TEXTS[window.cause];
  return window.nextOpenAt === null ? error(`${reason}，之后也不会再开放`) : warning(`${reason}，${waits({ status })}开放`);
}

/** Names the packs that bind the campaign, with their number of rules. Source: D8.11 */
function rulePacksCheck({ ruleIds }: PreflightFacts): Finding {
  const packs = Map.groupBy(ruleIds, ruleId => findRule(ruleId)?.pack.name.zh ?? '其他版本的规则包');
  if (packs.size === 0) return ok('没有打开规则包');
  const named = Array.from(packs, ([name, rules]) => `${name} ${rules.length} 条`);
  return ok(`适用规则包：${named.join('，')}`);
}

function cellCheck({ cell }: PreflightFacts): Finding {
  if (!cell.declared) return error(`交换机节点「${String(cell.id)}」不在 config.cells 中`);
  if (cell.reachable) return ok(cell.id === null ? '有可用的交换机节点' : `交换机节点「${cell.id}」可达`);
  return warning(cell.id === null ? '没有可达的交换机节点' : `交换机节点「${cell.id}」不可达`);
}

function monitoringCheck({ status, monitoring: { mode, capacity } }: PreflightFacts): Finding {
  if (mode !== 'strict') return ok('无需人工监控即可外呼');
  if (capacity === null) return warning('严格监控活动需要监控坐席，当前无法得知监控容量');
  return capacity === 0 ? warning(`严格监控活动当前没有空闲的监控容量，${waits({ status })}`) : ok(`监控容量 ${capacity}`);
}

function skipsCheck({ skips, skipsSampled, counts, window }: PreflightFacts): Finding {
  const scope = skipsSampled ? SAMPLED : '';
  const reasons = [
    [skips.dnc, '勿扰'],
    [skips.blacklist, '黑名单'],
    [skips.frequency, '频次上限'],
    // While the window is closed for every contact, they all wait and none is skipped.
    [window.openNow ? skips.window : 0, '可呼时段之外'],
    [skips.invalid, '号码无效'],
  ] as const;
  const parts = reasons.filter(([count]) => count > 0).map(([count, label]) => `${label} ${count} 个`);
  if (parts.length === 0 || counts.pending + counts.retryable + counts.held === 0) return ok('没有会被跳过的联系人');
  return warning(`当前会跳过：${parts.join('，')}${scope}`);
}

/** Source: D7.12 */
function callbacksCheck({ callbacks: { promised, beyondEnd } }: PreflightFacts): Finding {
  if (promised === 0) return ok('没有约定的回访');
  if (beyondEnd === 0) return ok(`约定了 ${promised} 个回访，到时优先呼叫`);
  return warning(`约定了 ${promised} 个回访，其中 ${beyondEnd} 个晚于活动的结束时间，不会呼出`);
}

/** Source: D4.4 */
function callerIdCheck({ closedGateways }: PreflightFacts): Finding {
  if (closedGateways.length === 0) return ok('主叫号码按线路设置送出');
  const named = closedGateways.map(name => `「${name}」`).join('');
  return warning(`网关${named}的域名未知，无法设置 From：请在拨号串中写 sip_invite_domain，或在网关上启用 caller-id-in-from`);
}

const ok = (message: string): Finding => ({ level: 'ok', message });
const warning = (message: string): Finding => ({ level: 'warning', message });
const error = (message: string): Finding => ({ level: 'error', message });

export const CHECK_LEVELS = ['ok', 'warning', 'error'] as const;

/** A variable of the script that some of the contacts to be dialled lack. */
export interface LackingVariable {
  name: string;
  contacts: number;
  /** Names of the nodes that speak it, at most 3. */
  nodes: readonly string[];
}
