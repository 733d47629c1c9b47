import type { OriginateReply } from '#platform/freeswitch/switch.ts';
import { type PacedSend, type PacingDeps, sendPaced } from './send-paced.ts';

/** Longest wait of a user's call for its turn within the cell's rate; ends before the lease of the effect that sends it. ms */
const MAX_WAIT_MS = 4_000;

export interface PersonDial {
  turn: Pick<PacedSend, 'requestId' | 'leg' | 'cell'>;
  /** Longest time from the mark to the socket write, ms. */
  sendDeadlineMs: number;
  /** Longest wait for the turn; default: as long as an effect may last. */
  maxWaitMs?: number;
  /** Marks at most once; false when it has been sent already or must not be sent. */
  mark(): Promise<boolean>;
  /** Sends at most once, and not after `sendBefore` (monotonic). */
  originate(sendBefore: number): Promise<OriginateReply>;
}

/**
 * Sends a dial that a user is waiting for: it waits seconds for its turn, where a campaign's dial would be given up.
 *
 * Why:    the mark and the checks happen when the turn has come, so that the wait does not make them outdated (D8.6, A6 step 6)
 * Shape:  null when another instance sends it; `not_sent` is certain and final
 * Errors: those of `mark`
 * Source: D12.3, A10
 */
export async function sendForPerson(deps: PacingDeps, dial: PersonDial): Promise<OriginateReply | null> {
  const { clock } = deps;
  const { maxWaitMs = MAX_WAIT_MS } = dial;
  const busy = `交换机单元呼出繁忙，${maxWaitMs / 1_000} 秒内未轮到，未拨出，请稍后重试`;
  let sendBefore: number | null = null;
  let isOurs = true;
  const send = async (before: number): Promise<OriginateReply> => {
    if (sendBefore === null) {
      // Measured from before the mark: a slow database reply shortens the time to send, never extends it.
      const requestedAt = clock.monotonic();
      isOurs = await dial.mark();
      if (!isOurs) return { kind: 'not_sent', reason: 'disabled', replyText: busy };
      sendBefore = requestedAt + dial.sendDeadlineMs;
    }
    const until = Math.min(before, sendBefore);
    return clock.monotonic() > until ? { kind: 'not_sent', reason: 'deadline', replyText: busy } : dial.originate(until);
  };
  const [sending] = sendPaced(deps, [{ ...dial.turn, send }], clock.monotonic() + maxWaitMs, maxWaitMs);
  const reply = await sending;
  if (reply === undefined) throw new Error('one send has one reply');
  // Giving up requires the mark, too: another waiting instance must not send a dial reported as not sent.
  if (isOurs && sendBefore === null) isOurs = await dial.mark();
  if (!isOurs) return null;
  return reply.kind === 'not_sent' && reply.reason === 'deadline' ? { ...reply, replyText: busy } : reply;
}
