import { callStatusOf } from './hangup-cause.ts';

/** What the switch says of a channel's end, in its event and in its call detail record alike. */
export interface ChannelEnd {
  /** Hang-up cause of the switch. */
  cause: string;
  /** `sip_hangup_disposition`; null: no SIP channel, or the SIP stack had no say in it. */
  disposition: string | null;
  /** `sip_reply_host`: who sent the last answer; empty when nobody did. */
  replyHost: string | null;
  /** UTC ms; null: never. */
  answeredAt: number | null;
  progressAt: number | null;
}

/** A refusal counts as the customer's only when it is one that a person gives: 404 and 503 come from the network. */
export function endedBy({ disposition, cause }: Pick<ChannelEnd, 'disposition' | 'cause'>): 'customer' | 'system' | null {
  if (disposition === null) return null;
  if (disposition.startsWith('send_')) return 'system';
  if (disposition === 'recv_refuse') return isCalleeDoing(cause) ? 'customer' : null;
  return disposition === 'recv_bye' || disposition === 'recv_cancel' ? 'customer' : null;
}

/**
 * Whether the far end has not said a word: no ringing, no answer, no refusal.
 *
 * Why:    a refusal that the SIP stack makes up for a far end that is away (503, 408) reads as one of the carrier's, but names nobody who sent it.
 *         A 100 proves no more than the next hop. A call that we ended ourselves had no time to prove anything
 * Source: test/fixtures/esl/README.md §3 "black hole", recordings b-unreachable-*, b-gw-dead-plain, b-503-plain
 */
export function isSilentEnd({ cause, disposition, replyHost, answeredAt, progressAt }: ChannelEnd): boolean {
  if (answeredAt !== null || progressAt !== null || disposition === null || isOwnEnd(cause)) return false;
  return disposition !== 'recv_refuse' || replyHost === null || replyHost === '';
}

/** This side has ended the channel before anybody answered. */
function isOwnEnd(cause: string): boolean {
  return cause === 'SYSTEM_SHUTDOWN' || callStatusOf(cause) === 'cancelled';
}

function isCalleeDoing(cause: string): boolean {
  const status = callStatusOf(cause);
  return status === 'busy' || status === 'rejected';
}
