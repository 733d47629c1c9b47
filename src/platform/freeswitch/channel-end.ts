import { callStatusOf } from '#protocol/call-status.ts';

/** How a channel ended, as reported by the switch's hang-up event and call detail record alike. */
export interface ChannelEnd {
  /** Hang-up cause of the switch. */
  cause: string;
  /** `sip_hangup_disposition`; null for a channel that is not SIP, or when SIP signalling did not end it. */
  disposition: string | null;
  /** `sip_reply_host`: sender of the last SIP response; empty when there was none. */
  replyHost: string | null;
  /** UTC ms; null when never answered. */
  answeredAt: number | null;
  progressAt: number | null;
}

/** The side that ended the channel. A refusal counts as the customer's only if a person can give it: 404 and 503 come from the network. */
export function endedBy({ disposition, cause }: Pick<ChannelEnd, 'disposition' | 'cause'>): 'customer' | 'system' | null {
  if (disposition === null) return null;
  if (disposition.startsWith('send_')) return 'system';
  if (disposition === 'recv_refuse') return isCalleeDoing(cause) ? 'customer' : null;
  return disposition === 'recv_bye' || disposition === 'recv_cancel' ? 'customer' : null;
}

/**
 * Whether the far end never responded: no ringing, no answer, no refusal.
 *
 * Why:    the SIP stack generates a refusal (503, 408) when the far end is unreachable; it looks like the carrier's but has no sender.
 *         A 100 proves only that the next hop is alive. A call that our side cancelled proves nothing
 * Source: test/fixtures/esl/README.md §3 "black hole", recordings b-unreachable-*, b-gw-dead-plain, b-503-plain
 */
export function isSilentEnd({ cause, disposition, replyHost, answeredAt, progressAt }: ChannelEnd): boolean {
  if (answeredAt !== null || progressAt !== null || disposition === null || isOwnEnd(cause)) return false;
  return disposition !== 'recv_refuse' || replyHost === null || replyHost === '';
}

/** Our side ended the channel before an answer. */
function isOwnEnd(cause: string): boolean {
  return cause === 'SYSTEM_SHUTDOWN' || callStatusOf(cause) === 'cancelled';
}

function isCalleeDoing(cause: string): boolean {
  const status = callStatusOf(cause);
  return status === 'busy' || status === 'rejected';
}
