import { keysOf } from '#kernel/typed.ts';
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
  consent_missing: '没有所需用途的有效同意',
  abandonment_limit: '接通后无人应答的来电超过上限',
  abandoned_recently: '上次来电接通后无人应答，暂不再呼叫',
  interval: '未到呼叫间隔',
  retry_wait: '未到重试时间',
  callback: '等待约定的回访时间',
  not_before: '未到要求的最早呼叫时间',
  not_after_passed: '已过要求的最晚呼叫时间，不再呼叫',
  in_call_elsewhere: '该号码正在另一通电话中',
  line_full: '线路并发已满',
  number_full: '主叫号码并发已满',
  number_cap: '主叫号码已达到呼叫上限或在休息',
  cell_full: '交换机节点并发已满',
  campaign_full: '活动并发已满',
  no_monitor: '没有可用的监控坐席',
  no_runtime: '没有在线的话术引擎',
  runtime_full: '话术引擎没有空闲名额',
  switch_unreachable: '交换机不可达',
  pre_dial_hook: '拨前询问的系统不允许，或没有应答',
  paused: '已暂停',
  attempts_exhausted: '呼叫次数已用完',
  invalid_number: '号码无效',
  short_code: '应急号码或服务短号，不外呼',
} as const;

export type SkipReason = keyof typeof SKIP_REASON_TEXTS;

export const SKIP_REASONS = keysOf(SKIP_REASON_TEXTS);

/** Reasons from the slot registry and the switch; they are temporary and do not concern the contact. */
export type SlotSkipReason = Extract<
  SkipReason,
  | 'interval'
  | 'line_full'
  | 'number_full'
  | 'number_cap'
  | 'cell_full'
  | 'campaign_full'
  | 'no_monitor'
  | 'no_runtime'
  | 'runtime_full'
  | 'switch_unreachable'
  | 'pre_dial_hook'
>;

export interface SlotRefusal {
  reason: SlotSkipReason;
  /** UTC instant at which a slot may become free; null when only an event can tell. */
  nextEligibleAt: number | null;
}

/** The specific case behind a reason that covers several, with its own Chinese text; null: the phase of the campaign has it. */
export const SKIP_DETAIL_TEXTS = {
  no_line: '活动的线路均已停用',
  /** The reason names the failing calls. */
  calls_fail: null,
  /** The campaign does not redial contacts whose last call has an unknown outcome (D7.8). */
  unknown_outcome: '上次呼叫结果未知，不会自动再次呼叫，可人工重呼',
  campaign_draft: '活动尚未启动',
  campaign_paused: '活动已暂停',
  campaign_completed: '活动已完成，再次启动后才会呼叫',
  campaign_archived: '活动已归档',
} as const;

export type SkipDetail = keyof typeof SKIP_DETAIL_TEXTS;

export const SKIP_DETAILS = keysOf(SKIP_DETAIL_TEXTS);

/** The specific cause of a campaign's phase, for phases that can have several. */
export const PHASE_CAUSES = [
  'interval',
  'line_full',
  'no_line',
  'number_full',
  'number_cap',
  'cell_full',
  'campaign_full',
  'no_monitor',
  'no_runtime',
  'runtime_full',
  'switch_unreachable',
  'pre_dial_hook',
  'calls_fail',
  'no_script',
  'policy',
  'abandonment_limit',
  'callback',
  'do_not_call',
  'window_invalid',
  'schedule_over',
  'schedule_ahead',
  'outside_hours',
] as const;
export type PhaseCause = (typeof PHASE_CAUSES)[number];
