import type { OriginateReply } from '#ports/switch.ts';
import { type PacedSend, type PacingDeps, sendPaced } from './send-paced.ts';

/** Longest wait of a person's call for its turn in its cell's second; ends before the lease of the effect that sends it. ms */
const MAX_WAIT_MS = 4_000;

export interface PersonDial {
  turn: Pick<PacedSend, 'requestId' | 'leg' | 'cell'>;
  /** From the mark to the socket write at the latest, ms. */
  sendDeadlineMs: number;
  /** For its turn; absent: as long as an effect may last. */
  maxWaitMs?: number;
  /** Once for ever; false when somebody has sent it, or it may not be sent. */
  mark(): Promise<boolean>;
  /** Writes at most once, and nothing after `sendBefore` (monotonic). */
  originate(sendBefore: number): Promise<OriginateReply>;
}

/**
 * Sends a dial that a person waits for: it waits seconds for its turn where a campaign's dial gives up.
 *
 * Why:    the mark and what may forbid the dial are looked at when the turn has come, so that the wait makes neither old (D8.6, A6 step 6)
 * Shape:  null: not ours to send; `not_sent` is certain, and nobody else will send it
 * Errors: as `mark`
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
      // Counted from before the mark: a slow answer of the database eats the deadline, it never extends it.
      const asked = clock.monotonic();
      isOurs = await dial.mark();
      if (!isOurs) return { kind: 'not_sent', reason: 'disabled', replyText: busy };
      sendBefore = asked + dial.sendDeadlineMs;
    }
    const until = Math.min(before, sendBefore);
    return clock.monotonic() > until ? { kind: 'not_sent', reason: 'deadline', replyText: busy } : dial.originate(until);
  };
  const [sending] = sendPaced(deps, [{ ...dial.turn, send }], clock.monotonic() + maxWaitMs, maxWaitMs);
  const reply = await sending;
  if (reply === undefined) throw new Error('one send has one reply');
  // Whoever gives up takes the mark as well: another instance that waits must not send what is reported as not sent.
  if (isOurs && sendBefore === null) isOurs = await dial.mark();
  if (!isOurs) return null;
  return reply.kind === 'not_sent' && reply.reason === 'deadline' ? { ...reply, replyText: busy } : reply;
}
