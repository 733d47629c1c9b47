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
