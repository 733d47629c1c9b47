import { WINDOW_TEXTS } from '#policies/decisions/calling-window.ts';
import { CAMPAIGN_STATUSES, type CampaignPhase, type CampaignStatus, NO_SCRIPT_TEXT, SCRIPTLESS_TEXT } from './campaign-states.ts';

/**
 * Reasons for not dialling a contact, with the Chinese text that the console shows.
 *
 * Source: D7.10; `blacklist` covers phone_blacklist and phone_prefix_blocklist policies
 */
export const SKIP_REASON_TEXTS = {
  dnc: '号码在勿扰名单中',
  blacklist: '号码被黑名单策略禁止',
  blocked_date: '当天禁止外呼',
  outside_window: '不在可呼时段内',
  frequency_cap: '号码已达到联系频次上限',
  interval: '未到呼叫间隔',
  retry_wait: '未到重试时间',
  callback: '等待约定的回访时间',
  in_call_elsewhere: '该号码正在另一通电话中',
  line_full: '线路并发已满',
  number_full: '主叫号码并发已满',
  cell_full: '交换机节点并发已满',
  campaign_full: '活动并发已满',
  no_monitor: '没有可用的监控坐席',
  no_runtime: '没有在线的话术运行时',
  runtime_full: '话术运行时没有空闲名额',
  switch_unreachable: '交换机不可达',
  paused: '已暂停',
  attempts_exhausted: '呼叫次数已用完',
  invalid_number: '号码无效',
  short_code: '应急号码或服务短号，不外呼',
} as const;

/** Texts of `paused` when the whole campaign is not running; a contact that a user paused has `paused` itself. */
export const STANDSTILL_TEXTS: Readonly<Record<Exclude<CampaignStatus, 'running'>, string>> = {
  draft: '活动尚未启动',
  paused: '活动已暂停',
  completed: '活动已完成，再次启动后才会呼叫',
  archived: '活动已归档',
};

/** Text of `attempts_exhausted` when the last call has an unknown outcome and the campaign does not redial such contacts (D7.8). */
export const UNKNOWN_OUTCOME_TEXT = '上次呼叫结果未知，不会自动再次呼叫，可人工重呼';

/** Text of `line_full` when no line is enabled at all. */
export const NO_LINE_TEXT = '活动的线路均已停用';

export type SkipReason = keyof typeof SKIP_REASON_TEXTS;

export const SKIP_REASONS = Object.keys(SKIP_REASON_TEXTS) as SkipReason[];

/** Reasons from the slot registry and the switch; they are temporary and do not concern the contact. */
export type SlotSkipReason = Extract<
  SkipReason,
  | 'interval'
  | 'line_full'
  | 'number_full'
  | 'cell_full'
  | 'campaign_full'
  | 'no_monitor'
  | 'no_runtime'
  | 'runtime_full'
  | 'switch_unreachable'
>;

export interface SlotRefusal {
  reason: SlotSkipReason;
  /** UTC instant at which a slot may become free; null when only an event can tell. */
  nextEligibleAt: number | null;
}

/** The specific case behind a reason that covers several. */
export const SKIP_DETAILS = [
  'no_line',
  'calls_fail',
  'unknown_outcome',
  'campaign_draft',
  'campaign_paused',
  'campaign_completed',
  'campaign_archived',
] as const;
type SkipDetail = (typeof SKIP_DETAILS)[number];

/** Null when the reason is specific enough. Derived from the Chinese message, because clients in other languages need a code. */
export function skipDetailOf({ reason, message }: { reason: SkipReason; message: string }): SkipDetail | null {
  if (message === NO_LINE_TEXT) return 'no_line';
  if (message === UNKNOWN_OUTCOME_TEXT) return 'unknown_outcome';
  // With an open breaker the message names the failing calls.
  if (reason === 'switch_unreachable') return message === SKIP_REASON_TEXTS.switch_unreachable ? null : 'calls_fail';
  const status = CAMPAIGN_STATUSES.find(each => each !== 'running' && message === STANDSTILL_TEXTS[each]);
  return status === undefined || status === 'running' ? null : `campaign_${status}`;
}

/** The specific cause of a campaign's phase, for phases that can have several. */
export const PHASE_CAUSES = [
  'interval',
  'line_full',
  'no_line',
  'number_full',
  'cell_full',
  'campaign_full',
  'no_monitor',
  'no_runtime',
  'runtime_full',
  'switch_unreachable',
  'calls_fail',
  'no_script',
  'policy',
  'window_invalid',
  'schedule_over',
  'schedule_ahead',
  'outside_hours',
] as const;
type PhaseCause = (typeof PHASE_CAUSES)[number];

interface ShownPhase {
  phase: CampaignPhase;
  /** Reason shown with the campaign, in Chinese. */
  phaseReason: string | null;
  phaseRefusal: SlotSkipReason | null;
}

const OF_WINDOW: Readonly<Record<string, PhaseCause>> = {
  [WINDOW_TEXTS.invalid]: 'window_invalid',
  [WINDOW_TEXTS.over]: 'schedule_over',
  [WINDOW_TEXTS.ahead]: 'schedule_ahead',
  [WINDOW_TEXTS.closed]: 'outside_hours',
};

/**
 * Cause of a campaign's phase; null when the phase alone is specific enough.
 *
 * Why: the row stores the Chinese reason only; clients in other languages need a code
 */
export function phaseCauseOf({ phase, phaseReason, phaseRefusal }: ShownPhase): PhaseCause | null {
  const reason = phaseReason ?? '';
  if (phaseRefusal === 'line_full' && reason === NO_LINE_TEXT) return 'no_line';
  // With an open breaker the reason names the failing calls.
  if (phaseRefusal === 'switch_unreachable' && reason !== SKIP_REASON_TEXTS.switch_unreachable) return 'calls_fail';
  if (phaseRefusal !== null) return phaseRefusal;
  if (phase === 'WAITING_WINDOW') return OF_WINDOW[reason] ?? null;
  if (phase !== 'BLOCKED_BY_POLICY') return null;
  return reason === NO_SCRIPT_TEXT || reason.startsWith(SCRIPTLESS_TEXT) ? 'no_script' : 'policy';
}
