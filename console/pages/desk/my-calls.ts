import type { WatchedCall } from '../../live/call-changes.ts';
import { isOver } from '../../live/call-order.ts';

/** Whether the user's phone is in the call now, or rings for it. */
export function isInCall({ people }: Pick<WatchedCall, 'people'>, userId: string): boolean {
  return people.some(person => person.userId === userId && person.leftAt === null);
}

/** Whether the user's phone has been in the call. */
export function hasTalked({ people }: Pick<WatchedCall, 'people'>, userId: string): boolean {
  return people.some(person => person.userId === userId && person.joinedAt !== null);
}

/** Whether the user talked in a call that is over, and did not hand it on. */
function talkedToEnd(call: Pick<WatchedCall, 'people' | 'status'>, userId: string): boolean {
  const own = call.people.filter(person => person.userId === userId && person.joinedAt !== null);
  return isOver(call) && own.some(({ hasHandedOver }) => !hasHandedOver);
}

/** The call that is the user's own: one that their phone is in, else the newest that they talked in to its end. */
export function ownCall(calls: readonly WatchedCall[], userId: string): WatchedCall | undefined {
  const here = calls.filter(call => !isOver(call) && isInCall(call, userId));
  const ended = calls.filter(call => talkedToEnd(call, userId));
  return newest(here) ?? newest(ended);
}

/** The user's own call as it was last seen. */
export interface KeptCall {
  call: WatchedCall;
  isClosed: boolean;
}

/**
 * The call that the desk shows after the calls have changed: it stays with its last facts when it is not the user's any more, until another is.
 * An earlier call that is over does not come back in its place.
 */
export function keptCall(before: KeptCall | null, calls: readonly WatchedCall[], userId: string): KeptCall | null {
  const found = ownCall(calls, userId);
  if (before === null) return found ? { call: found, isClosed: false } : null;
  const same = calls.find(({ callKey }) => callKey === before.call.callKey) ?? before.call;
  const isSame = !found || found.callKey === same.callKey || (isOver(found) && isEarlier(found, same));
  if (!isSame) return { call: found, isClosed: false };
  const isBack = found?.callKey === same.callKey && !isOver(same);
  const isClosed = before.isClosed && !isBack;
  return same === before.call && isClosed === before.isClosed ? before : { call: same, isClosed };
}

function isEarlier(one: WatchedCall, other: WatchedCall): boolean {
  return Date.parse(one.startedAt) < Date.parse(other.startedAt);
}

function newest(calls: readonly WatchedCall[]): WatchedCall | undefined {
  return calls.toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))[0];
}

/** Calls that the user watches for others: as their monitor, or kept to be read, without the one that is the user's own. */
export function callsWatchedBy(calls: readonly WatchedCall[], userId: string, ownKey: string | undefined): WatchedCall[] {
  return calls.filter(
    ({ callKey, monitorAssignment, retainedByIds }) =>
      callKey !== ownKey && (monitorAssignment?.userId === userId || retainedByIds.includes(userId)),
  );
}
