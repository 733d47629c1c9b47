import { type Clock, sleep } from '#kernel/clock.ts';
import type { PermitAsk, PermitResult, SlotRegistry } from '#slots/slot-registry.ts';
import type { OriginateReply } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';

export interface PacingDeps extends Pick<Platform, 'clock' | 'log'> {
  slots: Pick<SlotRegistry, 'permit'>;
}

export interface PacedSend extends Pick<PermitAsk, 'requestId' | 'leg' | 'cell'> {
  /** Sends at most once, and not after `sendBefore` (monotonic). */
  send(sendBefore: number): Promise<OriginateReply>;
}

/** Later bookings are refused, because the checks of policies and do-not-call at the mark must be recent (D8.6), ms. */
const MAX_AHEAD_MS = 500;
/** Number of missed instants after which a dial is given up, because the instance cannot keep up. */
const MAX_MISSED = 8;

const NO_PERMIT: OriginateReply = { kind: 'not_sent', reason: 'deadline', replyText: '未能在发送时限内取得呼叫节奏许可，未拨出' };

/**
 * Sends each dial at the instant that the slot registry books for it; a dial that misses its instant books another instead of leaving with
 * the next.
 *
 * Why:    call intervals and cell rates apply to the moment of sending, whatever delays happened before
 * Units:  `sendBefore` monotonic ms; `maxAheadMs` how far ahead an instant may be booked
 * Shape:  one promise per send, in order, none rejects; `not_sent` is certain
 * Source: D5.3 callIntervalMs, A10, A6 step 6
 */
export function sendPaced(
  deps: PacingDeps,
  sends: readonly PacedSend[],
  sendBefore: number,
  maxAheadMs = MAX_AHEAD_MS,
): Promise<OriginateReply>[] {
  const bounds = { sendBefore, maxAheadMs };
  const first = ask(deps, sends, { ...bounds, missed: 0 });
  return sends.map((send, index) => follow(deps, send, bounds, first, index));
}

interface Answer {
  /** Monotonic instant before the request. */
  requestedAt: number;
  /** Empty: no dial may be sent. */
  permits: readonly PermitResult[];
}

interface Bounds {
  sendBefore: number;
  maxAheadMs: number;
}

async function follow(
  deps: PacingDeps,
  send: PacedSend,
  { sendBefore, maxAheadMs }: Bounds,
  first: Promise<Answer>,
  index: number,
): Promise<OriginateReply> {
  const answer = await first;
  let { requestedAt } = answer;
  let permit = answer.permits[index];
  for (let missed = 0; missed < MAX_MISSED; ) {
    if (permit === undefined || permit.outcome === 'gone') return NO_PERMIT;
    const startsAt = deps.clock.monotonic() + permit.waitMs;
    if (permit.waitMs > maxAheadMs || startsAt > sendBefore) return NO_PERMIT;
    await sleepUntil(deps.clock, startsAt);
    if (permit.outcome === 'booked') {
      const reply = await sendInTime(deps.clock, send, Math.min(sendBefore, requestedAt + permit.waitMs + permit.lateMs));
      if (reply.kind !== 'not_sent' || reply.reason !== 'deadline') return reply;
      missed += 1;
    }
    const again = await ask(deps, [send], { sendBefore, maxAheadMs, missed });
    requestedAt = again.requestedAt;
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
  { sendBefore, maxAheadMs, missed }: Bounds & { missed: number },
): Promise<Answer> {
  const requestedAt = clock.monotonic();
  const withinMs = Math.min(maxAheadMs, sendBefore - requestedAt);
  if (withinMs <= 0 || sends.length === 0) return { requestedAt, permits: [] };
  try {
    const asks = sends.map(({ requestId, leg = '', cell }) => ({ requestId, withinMs, missed, leg, ...(cell ? { cell } : {}) }));
    return { requestedAt, permits: await slots.permit(asks) };
  } catch (error) {
    log.warn({ err: error }, 'dials got no pacing permit and were not sent');
    return { requestedAt, permits: [] };
  }
}

/** Timers may fire a fraction of a millisecond early. */
async function sleepUntil(clock: Clock, at: number): Promise<void> {
  for (let left = at - clock.monotonic(); left > 0; left = at - clock.monotonic()) await sleep(clock, Math.ceil(left));
}
