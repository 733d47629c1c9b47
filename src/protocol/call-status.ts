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
