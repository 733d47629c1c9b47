import { describe, expect, test } from '@jest/globals';
import { callStatusOf, isNetworkCause } from '#rules/hangup-cause.ts';

describe('call status of a call that is over [D7.2]', () => {
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

test('the network answers for its own causes, not for a busy or absent person', () => {
  expect(['NORMAL_TEMPORARY_FAILURE', 'GATEWAY_DOWN', 'SWITCH_CONGESTION'].map(isNetworkCause)).toEqual([true, true, true]);
  expect(['USER_BUSY', 'NO_ANSWER', 'CALL_REJECTED', 'UNALLOCATED_NUMBER'].map(isNetworkCause)).toEqual([false, false, false, false]);
});
