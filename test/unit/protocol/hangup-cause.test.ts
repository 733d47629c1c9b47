import { describe, expect, test } from '@jest/globals';
import { callStatusOf, causeOf, isLocalCause, isNetworkCause, remedyOf } from '#protocol/call-status.ts';

describe('call status by hang-up cause [D7.2]', () => {
  test.each([
    ['USER_BUSY', 'busy'],
    ['NO_ANSWER', 'no_answer'],
    ['RECOVERY_ON_TIMER_EXPIRE', 'no_answer'],
    ['CALL_REJECTED', 'rejected'],
    ['NO_USER_RESPONSE', 'power_off'],
    ['DESTINATION_OUT_OF_ORDER', 'out_of_service'],
    ['UNALLOCATED_NUMBER', 'invalid_number'],
    ['INVALID_NUMBER_FORMAT', 'invalid_number'],
    ['NUMBER_CHANGED', 'invalid_number'],
    ['NORMAL_TEMPORARY_FAILURE', 'network_busy'],
    ['ORIGINATOR_CANCEL', 'cancelled'],
    ['INVALID_GATEWAY', 'failed'],
    ['SYSTEM_SHUTDOWN', 'failed'],
    ['toString', 'failed'],
  ])('%s without an answer is %s', (cause, status) => {
    expect(callStatusOf(cause)).toBe(status);
  });

  test.each(['NORMAL_CLEARING', 'USER_BUSY', 'SYSTEM_SHUTDOWN'])('%s after an answer is completed', cause => {
    expect(callStatusOf(cause, true)).toBe('completed');
  });
});

test('604 is treated like 404, whatever cause the switch reports [D7.1]', () => {
  expect(callStatusOf(causeOf('NO_ROUTE_DESTINATION', '604'))).toBe('invalid_number');
  expect(causeOf('NO_ROUTE_DESTINATION', '485')).toBe('NO_ROUTE_DESTINATION');
  expect(causeOf('NO_ROUTE_DESTINATION', null)).toBe('NO_ROUTE_DESTINATION');
});

test('causes in the network are distinguished from those of a busy or absent customer', () => {
  expect(['NORMAL_TEMPORARY_FAILURE', 'GATEWAY_DOWN', 'SWITCH_CONGESTION'].map(isNetworkCause)).toEqual([true, true, true]);
  expect(['USER_BUSY', 'NO_ANSWER', 'CALL_REJECTED', 'UNALLOCATED_NUMBER'].map(isNetworkCause)).toEqual([false, false, false, false]);
});

test('a call that failed locally is our fault; a response of the callee or the carrier is not', () => {
  expect(['GATEWAY_DOWN', 'INVALID_GATEWAY', 'INVALID_PROFILE', 'SYSTEM_SHUTDOWN'].map(isLocalCause)).toEqual([true, true, true, true]);
  const theirs = ['USER_BUSY', 'DESTINATION_OUT_OF_ORDER', 'SUBSCRIBER_ABSENT', 'NORMAL_TEMPORARY_FAILURE', 'toString'];
  expect(theirs.map(isLocalCause)).toEqual(theirs.map(() => false));
});

test.each([
  ['DESTINATION_OUT_OF_ORDER', 'fsctl pause'],
  ['GATEWAY_DOWN', '网关'],
  ['NO_ROUTE_DESTINATION', '路由'],
  ['SUBSCRIBER_ABSENT', '用户或域'],
  ['RUNTIME_UNAVAILABLE', '话术引擎'],
])('%s names a remedy', (cause, words) => {
  expect(remedyOf(cause)).toContain(words);
});

test.each(['USER_BUSY', 'NORMAL_TEMPORARY_FAILURE', 'constructor'])('%s names no remedy', cause => {
  expect(remedyOf(cause)).toBeNull();
});
