import { type Clock, sleep } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { PermitResult, SlotBook } from '#ports/slot-book.ts';
import type { OriginateReply } from '#ports/switch.ts';

export interface PacingDeps {
  slots: Pick<SlotBook, 'permit'>;
  clock: Clock;
  log: Log;
}

export interface PacedSend {
  requestId: string;
  /** Which of the channels that share the slot; absent for the only one. */
  leg?: string;
  /** Writes at most once, and nothing after `sendBefore` (monotonic). */
  send(sendBefore: number): Promise<OriginateReply>;
}

/** Bookings further ahead than this are refused: the mark's look at policies and do-not-call must stay young (D8.6), ms. */
const MAX_AHEAD_MS = 500;
/** A dial whose instants pass unused this often is given up: the instance does not keep up. */
const MAX_MISSED = 8;

const NO_PERMIT: OriginateReply = { kind: 'not_sent', reason: 'deadline', replyText: '未能在发送时限内取得呼叫节奏许可，未拨出' };

/**
 * Sends each dial at the instant that the slot book books for it; what misses its instant books anew instead of leaving with the next ones.
 *
 * Why:    call intervals and cell rates hold for what leaves the instance, however long it was held up before
 * Units:  `sendBefore` monotonic ms
 * Shape:  one promise per send, in the order given, none rejects; `not_sent` is certain
 * Source: D5.3 callIntervalMs, A10, A6 step 6
 */
export function sendPaced(deps: PacingDeps, sends: readonly PacedSend[], sendBefore: number): Promise<OriginateReply>[] {
  const first = ask(deps, sends, { sendBefore, missed: 0 });
  return sends.map((send, index) => follow(deps, send, sendBefore, index, first));
}

interface Answer {
  /** Monotonic, before the question. */
  asked: number;
  /** Empty: nobody may send. */
  permits: readonly PermitResult[];
}

async function follow(
  deps: PacingDeps,
  send: PacedSend,
  sendBefore: number,
  index: number,
  first: Promise<Answer>,
): Promise<OriginateReply> {
  const answer = await first;
  let { asked } = answer;
  let permit = answer.permits[index];
  for (let missed = 0; missed < MAX_MISSED; ) {
    if (permit === undefined || permit.outcome === 'gone') return NO_PERMIT;
    const startsAt = deps.clock.monotonic() + permit.waitMs;
    if (permit.waitMs > MAX_AHEAD_MS || startsAt > sendBefore) return NO_PERMIT;
    await sleepUntil(deps.clock, startsAt);
    if (permit.outcome === 'booked') {
      const reply = await sendInTime(deps.clock, send, Math.min(sendBefore, asked + permit.waitMs + permit.lateMs));
      if (reply.kind !== 'not_sent' || reply.reason !== 'deadline') return reply;
      missed += 1;
    }
    const again = await ask(deps, [send], { sendBefore, missed });
    asked = again.asked;
    permit = again.permits[0];
  }
  return NO_PERMIT;
}

async function sendInTime(clock: Clock, dial: PacedSend, until: number): Promise<OriginateReply> {
  return clock.monotonic() > until ? NO_PERMIT : dial.send(until);
}

async function ask(
  { slots, clock, log }: PacingDeps,
  sends: readonly PacedSend[],
  { sendBefore, missed }: { sendBefore: number; missed: number },
): Promise<Answer> {
  const asked = clock.monotonic();
  const withinMs = Math.min(MAX_AHEAD_MS, sendBefore - asked);
  if (withinMs <= 0 || sends.length === 0) return { asked, permits: [] };
  try {
    return { asked, permits: await slots.permit(sends.map(({ requestId, leg = '' }) => ({ requestId, withinMs, missed, leg }))) };
  } catch (error) {
    log.warn({ err: error }, 'dials got no permit: not sent');
    return { asked, permits: [] };
  }
}

/** Timers may fire a fraction of a millisecond early. */
async function sleepUntil(clock: Clock, at: number): Promise<void> {
  for (let left = at - clock.monotonic(); left > 0; left = at - clock.monotonic()) await sleep(clock, Math.ceil(left));
}
