import { MS_PER_MINUTE } from '#kernel/calendar.ts';
import { type CallStatus, isAnswered } from '#protocol/call-status.ts';

/** Wait after a call that reached nobody, ms. */
const AGAIN_MS = 15 * MS_PER_MINUTE;
/** Calls that may reach nobody before a callback is given up. */
const MAX_MISSES = 3;

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
  const dueAt = end.endedAt + AGAIN_MS;
  return misses >= MAX_MISSES || isOver(dueAt) ? { status: 'given_up', misses } : { status: 'promised', misses, dueAt };
}
