import type { CallStatus } from './call-status.ts';

/**
 * What a hang-up cause of the switch says about a call that nobody answered.
 *
 * Why:    480 (NO_USER_RESPONSE) is what the networks here answer for a phone that is off; 502 (DESTINATION_OUT_OF_ORDER) for one out of service
 * Source: D7.2, fixtures/esl/README.md §3
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
