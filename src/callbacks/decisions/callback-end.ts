import type { CallbackRules } from '#campaigns/decisions/callback-rules.ts';
import { instantAt, localTimeAt, MS_PER_MINUTE } from '#kernel/calendar.ts';
import { type CallStatus, isAnswered } from '#protocol/call-status.ts';

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

/** A promise as its call found it. Instants are UTC ms. */
export interface KnownPromise extends CallbackRules {
  dueAt: number;
  until: number | null;
  misses: number;
  /** When the call was claimed. */
  claimedAt: number;
  /** The agent who is to make it; null: anybody. */
  agentId: number | null;
  /** The contact's time zone. */
  zone: string;
}

export type CallbackDecision =
  | { status: 'kept' | 'given_up'; misses: number }
  /** Dialled again at `dueAt`. */
  | { status: 'promised'; misses: number; dueAt: number; agentId: number | null };

/** A call that says nothing about the person is repeated soon, but not at once: what failed may still fail. */
const VOID_PAUSE_MS = 30_000;

/**
 * Decides what becomes of a promised callback after a call, by the campaign's rules.
 *
 * Source: D7.12
 */
export function decideCallback(known: KnownPromise, end: CallbackEnd): CallbackDecision {
  const { dueAt, until, misses, agentId } = known;
  // The promise was made, or moved, during the call.
  if (dueAt > known.claimedAt) return { status: 'promised', misses, dueAt, agentId };
  if (end.isReached) return { status: 'kept', misses };
  const again = end.isVoid ? { misses, dueAt: end.endedAt + VOID_PAUSE_MS, agentId } : afterMiss(known, end.endedAt);
  const isOver = again === null || (until !== null && again.dueAt >= until);
  return isOver ? { status: 'given_up', misses: end.isVoid ? misses : misses + 1 } : { status: 'promised', ...again };
}

/** The next call after one that reached nobody; null: the callback is given up. */
function afterMiss(known: KnownPromise, endedAt: number): { misses: number; dueAt: number; agentId: number | null } | null {
  const misses = known.misses + 1;
  const { callbackMissed, agentId } = known;
  if (misses >= known.callbackMaxMisses || callbackMissed === 'give_up') return null;
  if (callbackMissed === 'next_day') return { misses, dueAt: sameTimeNextDay(known, endedAt), agentId };
  const dueAt = endedAt + known.callbackAgainMinutes * MS_PER_MINUTE;
  return { misses, dueAt, agentId: callbackMissed === 'anybody' ? null : agentId };
}

/** The person agreed to a time of day in the time zone where they are. A call may have come days late. */
function sameTimeNextDay({ dueAt, zone }: KnownPromise, endedAt: number): number {
  const { day, minute } = localTimeAt(zone, dueAt);
  const next = instantAt(zone, day + 1, minute);
  return next > endedAt ? next : instantAt(zone, localTimeAt(zone, endedAt).day + 1, minute);
}

/** When the queue takes a promise: one of an agent's own waits for that agent first. UTC ms */
export function queuedAt({ dueAt, agentId }: { dueAt: number; agentId: number | null }, anybodyAfterMinutes: number): number {
  return agentId === null ? dueAt : dueAt + anybodyAfterMinutes * MS_PER_MINUTE;
}
