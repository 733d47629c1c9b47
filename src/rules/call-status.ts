/**
 * How a call went, in the words of the interface.
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

/** Whether a person was reached; a mailbox is not a person. */
export function isAnswered(callStatus: CallStatus | null): boolean {
  return callStatus === 'answered' || callStatus === 'completed';
}

const UNREACHED: readonly CallStatus[] = ['ringing', 'no_answer', 'busy', 'rejected', 'network_busy'];

/** Whether it says that the call was never answered; what an announcement after the answer may say, power off or a wrong number, does not. */
export function contradictsAnswer(callStatus: CallStatus | null): boolean {
  return callStatus !== null && UNREACHED.includes(callStatus);
}
