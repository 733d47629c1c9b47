import { type Clock, sleep } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { OriginateReply } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeLink } from '#runtimes/runtime-link.ts';
import type { PermitAsk, PermitResult, SlotRegistry, SlotsPart } from '#slots/slot-registry.ts';

/** Longest wait for a turn, because a user is waiting for the reply, ms. */
const MAX_CONFIRM_WAIT_MS = 5_000;

/**
 * Confirms the slot of a dial when its turn within the cell's rate has come.
 *
 * Shape:  `late`: the turn is too far away; the reservation remains until it is released or its lease ends
 * Errors: CACHE_UNAVAILABLE
 * Source: A6 step 4, A10 "a cell's maxOriginatesPerSecond is respected"
 */
export async function confirmSlot(
  { slots, clock }: { slots: Pick<SlotRegistry, 'confirm'>; clock: Clock },
  requestId: string,
): Promise<'confirmed' | 'gone' | 'late'> {
  const deadline = clock.monotonic() + MAX_CONFIRM_WAIT_MS;
  for (;;) {
    const [answer] = await slots.confirm([requestId]);
    if (answer?.outcome === 'confirmed') return 'confirmed';
    if (answer === undefined || answer.outcome === 'gone') return 'gone';
    if (clock.monotonic() + answer.waitMs > deadline) return 'late';
    await sleep(clock, Math.max(1, answer.waitMs));
  }
}

/**
 * Dials of this instance that are due and not sent yet.
 *
 * Why: an instance that claims more than it can send misses booked instants, and a withdrawn dial costs as much as a sent one
 */
export interface DialBacklog {
  /** Call the returned function when the dial is sent or given up; repeated calls are harmless. */
  enter(): () => void;
  /** Waiting time of the oldest dial, ms; 0 when none waits. */
  lagMs(): number;
}

export interface PacingPart {
  dialGate: DialGate;
  backlog: DialBacklog;
}

export function createDialBacklog(clock: Pick<Clock, 'monotonic'>): DialBacklog {
  const waiting = new Set<{ since: number }>();
  return {
    enter() {
      const dial = { since: clock.monotonic() };
      waiting.add(dial);
      return () => void waiting.delete(dial);
    },
    lagMs() {
      // A set iterates in order of insertion.
      const [oldest] = waiting;
      return oldest === undefined ? 0 : clock.monotonic() - oldest.since;
    },
  };
}

/**
 * Whether this instance may dial at all now.
 *
 * Why: without the bus no runtime would learn of an answer, and the customer would hear silence; an instance that stops starts nothing new
 */
export interface DialGate {
  /** The reason not to dial; null when dialling is allowed. */
  refusal(): CalloutError | null;
  /** Aborts when the instance begins to shut down. */
  readonly stopping: AbortSignal;
  stop(): void;
}

export function createDialGate(app: { runtime: Pick<RuntimeLink, 'reachableSince'> }): DialGate {
  const stopping = new AbortController();
  return {
    refusal() {
      if (stopping.signal.aborted) return new CalloutError('SERVER_STOPPING', '服务正在停止，不再拨号，请稍后重试');
      if (app.runtime.reachableSince() === null) return new CalloutError('BUS_UNAVAILABLE', '消息总线暂不可用，已暂停拨号，恢复后请重试');
      return null;
    },
    stopping: stopping.signal,
    stop: () => stopping.abort(),
  };
}

/** Errors: SERVER_STOPPING; BUS_UNAVAILABLE */
export function requireDialAllowed(gate: Pick<DialGate, 'refusal'>): void {
  const refusal = gate.refusal();
  if (refusal) throw refusal;
}

export interface PacedSend extends Pick<PermitAsk, 'requestId' | 'leg' | 'cell'> {
  /** When the permission to dial ends (monotonic), if that is before the other bound. Absent: never. */
  sendBefore?: number;
  /** Sends at most once, and not after `sendBefore` (monotonic). */
  send(sendBefore: number): Promise<OriginateReply>;
}

/** Later bookings are refused, because the checks of policies and do-not-call at the mark must be recent (D8.6), ms. */
const MAX_AHEAD_MS = 500;
/** Number of missed instants after which a dial is given up, because the instance cannot keep up. */
const MAX_MISSED = 8;

const NO_PERMIT: OriginateReply = { kind: 'not_sent', reason: 'deadline', replyText: '未能在发送时限内取得呼叫节奏许可，未拨出' };

type PacingApp = SlotsPart & Pick<Platform, 'clock' | 'log'>;

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
  app: PacingApp,
  sends: readonly PacedSend[],
  sendBefore: number,
  maxAheadMs = MAX_AHEAD_MS,
): Promise<OriginateReply>[] {
  const bounds = { sendBefore, maxAheadMs };
  const first = ask(app, sends, { ...bounds, missed: 0 });
  return sends.map((send, index) => {
    const own = { ...bounds, sendBefore: Math.min(sendBefore, send.sendBefore ?? Infinity) };
    return follow(app, send, own, first, index);
  });
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
  app: PacingApp,
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
    const startsAt = app.clock.monotonic() + permit.waitMs;
    if (permit.waitMs > maxAheadMs || startsAt > sendBefore) return NO_PERMIT;
    await sleepUntil(app.clock, startsAt);
    if (permit.outcome === 'booked') {
      const reply = await sendInTime(app.clock, send, Math.min(sendBefore, requestedAt + permit.waitMs + permit.lateMs));
      if (reply.kind !== 'not_sent' || reply.reason !== 'deadline') return reply;
      missed += 1;
    }
    const again = await ask(app, [send], { sendBefore, maxAheadMs, missed });
    requestedAt = again.requestedAt;
    permit = again.permits[0];
  }
  return NO_PERMIT;
}

async function sendInTime(clock: Clock, dial: PacedSend, until: number): Promise<OriginateReply> {
  return clock.monotonic() > until ? NO_PERMIT : dial.send(until);
}

async function ask(
  { slots, clock, log }: PacingApp,
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

/** Longest wait of a user's call for its turn within the cell's rate; ends before the lease of the effect that sends it. ms */
const MAX_WAIT_MS = 4_000;

interface PersonDial {
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
export async function sendForPerson(app: PacingApp, dial: PersonDial): Promise<OriginateReply | null> {
  const { clock } = app;
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
  const [sending] = sendPaced(app, [{ ...dial.turn, send }], clock.monotonic() + maxWaitMs, maxWaitMs);
  const reply = await sending;
  if (reply === undefined) throw new Error('one send has one reply');
  // Giving up requires the mark, too: another waiting instance must not send a dial reported as not sent.
  if (isOurs && sendBefore === null) isOurs = await dial.mark();
  if (!isOurs) return null;
  return reply.kind === 'not_sent' && reply.reason === 'deadline' ? { ...reply, replyText: busy } : reply;
}
