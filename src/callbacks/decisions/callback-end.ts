import { MS_PER_DAY } from '#kernel/calendar.ts';
import { type CallStatus, isAnswered } from '#protocol/call-status.ts';

/** What becomes of a callback that reaches nobody: tried again after a while, at the same time of the next day, or given up. */
export const MISSED_CALLBACKS = ['again', 'next_day', 'give_up'] as const;
export type MissedCallback = (typeof MISSED_CALLBACKS)[number];

/** A campaign's rule for callbacks that reach nobody. */
export interface CallbackRule {
  missed: MissedCallback;
  /** With `again`: wait after the call, s. */
  againSeconds: number;
  /** Calls that may reach nobody before the callback is given up. */
  maxMisses: number;
}

/** What a call-centre manager would choose: three calls, a quarter of an hour apart. */
export const CALLBACK_RULE_DEFAULTS: CallbackRule = { missed: 'again', againSeconds: 900, maxMisses: 3 };

/** The end of a call to a contact that was promised a callback. Instants are UTC ms. */
export interface CallbackEnd {
  /** A person answered. */
  isReached: boolean;
  /** The call says nothing about the person: our fault, a dead line, or a claim that was withdrawn. */
  isVoid: boolean;
  endedAt: number;
}

/** `isCounted`: whether the call counts as an attempt of the contact. */
export function callbackEnd(call: { callStatus: CallStatus | null; isCounted: boolean; endedAt: number }): CallbackEnd {
  const { callStatus, isCounted, endedAt } = call;
  return { isReached: isAnswered(callStatus) && isCounted, isVoid: !isCounted, endedAt };
}

export type CallbackDecision =
  | { status: 'kept'; misses: number }
  | { status: 'given_up'; misses: number }
  /** Dialled again at `dueAt`. */
  | { status: 'promised'; misses: number; dueAt: number };

/** A call that says nothing about the person is repeated soon, but not at once: what failed may still fail. */
const VOID_PAUSE_MS = 30_000;

/**
 * Decides what becomes of a promised callback after a call; `claimedAt`: when the call was claimed, UTC ms.
 *
 * Source: D7.12
 */
export function decideCallback(
  known: { dueAt: number; until: number | null; misses: number; claimedAt: number },
  end: CallbackEnd,
  { missed, againSeconds, maxMisses }: CallbackRule,
): CallbackDecision {
  // The promise was made, or moved, during the call.
  if (known.dueAt > known.claimedAt) return { status: 'promised', misses: known.misses, dueAt: known.dueAt };
  if (end.isReached) return { status: 'kept', misses: known.misses };
  const isOver = (dueAt: number) => known.until !== null && dueAt >= known.until;
  if (end.isVoid) {
    const dueAt = end.endedAt + VOID_PAUSE_MS;
    return isOver(dueAt) ? { status: 'given_up', misses: known.misses } : { status: 'promised', misses: known.misses, dueAt };
  }
  const misses = known.misses + 1;
  if (missed === 'give_up' || misses >= maxMisses) return { status: 'given_up', misses };
  const dueAt = missed === 'next_day' ? nextDay(known.dueAt, end.endedAt) : end.endedAt + againSeconds * 1_000;
  return isOver(dueAt) ? { status: 'given_up', misses } : { status: 'promised', misses, dueAt };
}

/** The same time of a later day: 24 h steps from the promise, past the end of the call. */
function nextDay(dueAt: number, endedAt: number): number {
  const days = Math.max(1, Math.ceil((endedAt - dueAt) / MS_PER_DAY));
  return dueAt + days * MS_PER_DAY;
}
