import type { CallStatus } from './call-status.ts';

/**
 * What a hang-up cause of the switch says about a call that nobody answered.
 *
 * Why:    480 (NO_USER_RESPONSE) is what the networks here answer for a phone that is off; 502 (DESTINATION_OUT_OF_ORDER) for one out of service
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

/** What a final answer says of the number, where the switch's cause says less: 604 "does not exist anywhere". */
const VERDICTS: Readonly<Record<string, string>> = { '604': 'UNALLOCATED_NUMBER' };

/** `sipStatus`: of the far end's final answer; null when it gave none. Source: RFC 3261 §21.6.3 */
export function causeOf(cause: string, sipStatus: string | null): string {
  return (sipStatus !== null && Object.hasOwn(VERDICTS, sipStatus) ? VERDICTS[sipStatus] : undefined) ?? cause;
}

/** Causes that speak of the line, not of the person called: the route, the trunk, the switch. */
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

/** Ends of an answered leg that nobody has asked for: its media or its way has gone, and whoever was there is cut off. */
const LOST_PHONE_CAUSES: ReadonlySet<string> = new Set([
  'MEDIA_TIMEOUT',
  'SRTP_READ_ERROR',
  'RECOVERY_ON_TIMER_EXPIRE',
  'NETWORK_OUT_OF_ORDER',
  'NORMAL_TEMPORARY_FAILURE',
  // The product's own word for a channel that has gone unheard.
  'LOST',
]);

/** The switch's pings of a gateway are not answered. */
export const GATEWAY_DOWN = 'GATEWAY_DOWN';

/** Causes that this side gives by itself: the call never reached the network. What to mend, Chinese. */
const LOCAL_CAUSES: ReadonlyMap<string, string> = new Map([
  [GATEWAY_DOWN, '线路的网关不可用：检查运营商连接，以及网关的注册和 ping 设置'],
  ['INVALID_GATEWAY', '线路拨号串中的网关在交换机上不存在'],
  ['INVALID_PROFILE', '线路拨号串中的 SIP profile 在交换机上不存在或未启动'],
  ['INVALID_URL', '线路拨号串的地址格式不正确'],
  ['CHAN_NOT_IMPLEMENTED', '线路拨号串的端点类型未在交换机上加载'],
  ['SYSTEM_SHUTDOWN', '交换机正在关闭或重启'],
]);

/** Hang-up cause of an answered call that no runtime took, or none spoke in. */
export const RUNTIME_UNAVAILABLE = 'RUNTIME_UNAVAILABLE';

/** Of a refused originate: the same words mean something else once a channel exists. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['DESTINATION_OUT_OF_ORDER', '交换机不接受新呼叫：检查是否已暂停（fsctl pause），是否达到会话数或每秒会话数上限'],
  ['NO_ROUTE_DESTINATION', '交换机上没有到该号码的路由：检查线路拨号串与拨号计划'],
  ['SUBSCRIBER_ABSENT', '线路拨号串中的用户或域在交换机上不存在'],
  ['USER_NOT_REGISTERED', '线路拨号串中的话机未注册'],
  [RUNTIME_UNAVAILABLE, '没有话术运行时接听：检查话术运行时是否在线、是否已满'],
]);

/** Of a line whose far end says nothing at all. */
export const SILENT_LINE_REMEDY = '线路对端没有任何应答：检查运营商连接、防火墙和网关地址';

/** Whether the cause says that the call never left this side, also when a channel had been made. */
export function isLocalCause(cause: string): boolean {
  return LOCAL_CAUSES.has(cause);
}

/** Whether an answered leg was lost rather than hung up; null: it has not ended. */
export function isLostPhone(cause: string | null): boolean {
  return cause !== null && LOST_PHONE_CAUSES.has(cause);
}

/** What to mend when dials fail on this side; null: the cause does not say. Chinese. */
export function remedyOf(cause: string): string | null {
  return LOCAL_CAUSES.get(cause) ?? REFUSALS.get(cause) ?? null;
}

/**
 * The call's status once it is over; an answered call is `completed` whatever ended it.
 *
 * Shape:  a cause that is not listed gives `failed`
 * Source: D7.2
 */
export function callStatusOf(cause: string, wasAnswered = false): CallStatus {
  if (wasAnswered) return 'completed';
  return (Object.hasOwn(UNANSWERED, cause) ? UNANSWERED[cause] : undefined) ?? 'failed';
}

/** Whether the cause is the network's doing: what counts against a line or a cell, not against the contact. */
export function isNetworkCause(cause: string): boolean {
  return NETWORK_CAUSES.has(cause);
}
