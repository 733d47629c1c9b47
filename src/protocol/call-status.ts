/**
 * The outcome of a call, in the contract's terms.
 *
 * Source: D7.2
 */
export const CALL_STATUSES = [
  'ringing',
  'answered',
  'completed',
  'no_answer',
  'busy',
  'rejected',
  'power_off',
  'out_of_service',
  'invalid_number',
  'network_busy',
  'voicemail',
  'cancelled',
  'failed',
] as const;

export type CallStatus = (typeof CALL_STATUSES)[number];

/** Whether a human answered; voicemail does not count. */
export function isAnswered(callStatus: CallStatus | null): boolean {
  return callStatus === 'answered' || callStatus === 'completed';
}

const UNREACHED: readonly CallStatus[] = ['ringing', 'no_answer', 'busy', 'rejected', 'network_busy'];

/**
 * Whether the status implies that the call was never answered.
 *
 * Why: powered off and wrong number do not imply it, because an announcement after the answer can be their source
 */
export function contradictsAnswer(callStatus: CallStatus | null): boolean {
  return callStatus !== null && UNREACHED.includes(callStatus);
}

/** Reasons for a runtime to end a call before anything was said. Source: D5.6 */
export const END_REASONS = ['no_script'] as const;

export type EndReason = (typeof END_REASONS)[number];

export const HANGUP_PARTIES = ['customer', 'bot', 'agent', 'system'] as const;

export const SPEAKERS = ['bot', 'customer', 'agent'] as const;

/**
 * Call status by hang-up cause of the switch, for unanswered calls.
 *
 * Why:    the networks here send 480 (NO_USER_RESPONSE) for a phone that is switched off, 502 (DESTINATION_OUT_OF_ORDER) for one out of service
 * Source: D7.2, test/fixtures/esl/README.md §3
 */
const UNANSWERED: Readonly<Record<string, CallStatus>> = {
  USER_BUSY: 'busy',

  NO_ANSWER: 'no_answer',
  RECOVERY_ON_TIMER_EXPIRE: 'no_answer',
  PROGRESS_TIMEOUT: 'no_answer',
  ALLOTTED_TIMEOUT: 'no_answer',
  MEDIA_TIMEOUT: 'no_answer',

  CALL_REJECTED: 'rejected',
  INCOMING_CALL_BARRED: 'rejected',
  OUTGOING_CALL_BARRED: 'rejected',
  BLIND_TRANSFER: 'rejected',

  NO_USER_RESPONSE: 'power_off',
  SUBSCRIBER_ABSENT: 'power_off',

  DESTINATION_OUT_OF_ORDER: 'out_of_service',
  USER_NOT_REGISTERED: 'out_of_service',

  UNALLOCATED_NUMBER: 'invalid_number',
  NUMBER_CHANGED: 'invalid_number',
  INVALID_NUMBER_FORMAT: 'invalid_number',

  NORMAL_CIRCUIT_CONGESTION: 'network_busy',
  SWITCH_CONGESTION: 'network_busy',
  REQUESTED_CHAN_UNAVAIL: 'network_busy',
  NORMAL_TEMPORARY_FAILURE: 'network_busy',
  NETWORK_OUT_OF_ORDER: 'network_busy',
  GATEWAY_DOWN: 'network_busy',

  ORIGINATOR_CANCEL: 'cancelled',
  NORMAL_CLEARING: 'cancelled',
  MANAGER_REQUEST: 'cancelled',
  LOSE_RACE: 'cancelled',
  PICKED_OFF: 'cancelled',
};

/** Final SIP responses that say more about the number than the switch's cause does: 604 "does not exist anywhere". */
const VERDICTS: Readonly<Record<string, string>> = { '604': 'UNALLOCATED_NUMBER' };

/** `sipStatus`: final response of the far end; null when there was none. Source: RFC 3261 §21.6.3 */
export function causeOf(cause: string, sipStatus: string | null): string {
  return (sipStatus !== null && Object.hasOwn(VERDICTS, sipStatus) ? VERDICTS[sipStatus] : undefined) ?? cause;
}

/** Causes that concern the line (route, trunk, switch) and not the called person. */
const NETWORK_CAUSES: ReadonlySet<string> = new Set([
  'NO_ROUTE_TRANSIT_NET',
  'NO_ROUTE_DESTINATION',
  'CHANNEL_UNACCEPTABLE',
  'NORMAL_CIRCUIT_CONGESTION',
  'NETWORK_OUT_OF_ORDER',
  'NORMAL_TEMPORARY_FAILURE',
  'SWITCH_CONGESTION',
  'ACCESS_INFO_DISCARDED',
  'REQUESTED_CHAN_UNAVAIL',
  'OUTGOING_CALL_BARRED',
  'SERVICE_UNAVAILABLE',
  'INCOMPATIBLE_DESTINATION',
  'CHAN_NOT_IMPLEMENTED',
  'INTERWORKING',
  'SYSTEM_SHUTDOWN',
  'GATEWAY_DOWN',
  'INVALID_GATEWAY',
  'INVALID_PROFILE',
  'INVALID_URL',
  'SRTP_READ_ERROR',
  'MEDIA_TIMEOUT',
]);

/** Unintended ends of an answered leg: its media or signalling path was lost. */
const LOST_PHONE_CAUSES: ReadonlySet<string> = new Set([
  'MEDIA_TIMEOUT',
  'SRTP_READ_ERROR',
  'RECOVERY_ON_TIMER_EXPIRE',
  'NETWORK_OUT_OF_ORDER',
  'NORMAL_TEMPORARY_FAILURE',
  // Our own cause, for a channel that disappeared without a hang-up event.
  'LOST',
  // We cut a phone that answered for a reservation which is over.
  'ORIGINATOR_CANCEL',
]);

/** The gateway does not answer the switch's pings. */
export const GATEWAY_DOWN = 'GATEWAY_DOWN';

/** Causes raised on our side: the call never reached the network. The text is the remedy, in Chinese. */
const LOCAL_CAUSES: ReadonlyMap<string, string> = new Map([
  [GATEWAY_DOWN, '线路的网关不可用：检查运营商连接，以及网关的注册和 ping 设置'],
  ['INVALID_GATEWAY', '线路拨号串中的网关在交换机上不存在'],
  ['INVALID_PROFILE', '线路拨号串中的 SIP profile 在交换机上不存在或未启动'],
  ['INVALID_URL', '线路拨号串的地址格式不正确'],
  ['CHAN_NOT_IMPLEMENTED', '线路拨号串的端点类型未在交换机上加载'],
  ['SYSTEM_SHUTDOWN', '交换机正在关闭或重启'],
]);

/** Hang-up cause of an answered call that no runtime accepted, or whose runtime never spoke. */
export const RUNTIME_UNAVAILABLE = 'RUNTIME_UNAVAILABLE';

/** Causes of a refused originate; once a channel exists the same causes mean something else. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['DESTINATION_OUT_OF_ORDER', '交换机不接受新呼叫：检查是否已暂停（fsctl pause），是否达到会话数或每秒会话数上限'],
  ['NO_ROUTE_DESTINATION', '交换机上没有到该号码的路由：检查线路拨号串与拨号计划'],
  ['SUBSCRIBER_ABSENT', '线路拨号串中的用户或域在交换机上不存在'],
  ['USER_NOT_REGISTERED', '线路拨号串中的话机未注册'],
  [RUNTIME_UNAVAILABLE, '没有话术引擎接听：检查话术引擎是否在线、是否已满'],
]);

/** Remedy for a line whose far end does not respond at all. */
export const SILENT_LINE_REMEDY = '线路对端没有任何应答：检查运营商连接、防火墙和网关地址';

/** Whether the call never left our side, even if a channel had been created. */
export function isLocalCause(cause: string): boolean {
  return LOCAL_CAUSES.has(cause);
}

/** Whether an answered leg was lost rather than hung up; null while it has not ended. */
export function isLostPhone(cause: string | null): boolean {
  return cause !== null && LOST_PHONE_CAUSES.has(cause);
}

/** Remedy, in Chinese, when dials fail on our side; null when the cause does not suggest one. */
export function remedyOf(cause: string): string | null {
  return LOCAL_CAUSES.get(cause) ?? REFUSALS.get(cause) ?? null;
}

/**
 * Final status of a call; an answered call is `completed` whatever cause ended it.
 *
 * Shape:  an unlisted cause gives `failed`
 * Source: D7.2
 */
export function callStatusOf(cause: string, wasAnswered = false): CallStatus {
  if (wasAnswered) return 'completed';
  return (Object.hasOwn(UNANSWERED, cause) ? UNANSWERED[cause] : undefined) ?? 'failed';
}

/** Whether the network caused the failure: it counts against the line or cell, not against the contact. */
export function isNetworkCause(cause: string): boolean {
  return NETWORK_CAUSES.has(cause);
}
