import { useEffect, useState } from 'react';
import type { WatchedCall } from '../../live/call-changes.ts';
import { isOver } from '../../live/call-order.ts';
import { isInCall, type KeptCall, keptCall } from './my-calls.ts';

/** How long a call stays on the desk after the user's leg has ended, in ms: as long as the server keeps a call that is over (D9.7). */
const KEPT_MS = 60_000;

interface OwnCall {
  /** With its last facts once it has left the user; absent: none, or closed. */
  call: WatchedCall | undefined;
  /** Whether the user's phone is in it, or rings for it. */
  isHere: boolean;
  close: () => void;
}

/** The user's own call. After their leg has ended it stays until they close it, for a minute, or while they say what came of it. */
export function useOwnCall(calls: readonly WatchedCall[], userId: string, wrapUpKey: string | undefined): OwnCall {
  const [kept, setKept] = useState<KeptCall | null>(null);
  const next = keptCall(kept, calls, userId);
  // Stored during the render, so that the call does not vanish between two paints.
  if (next !== kept) setKept(next);
  const callKey = next?.call.callKey;
  const isHere = next !== null && calls.includes(next.call) && !isOver(next.call) && isInCall(next.call, userId);
  const isTold = callKey !== undefined && wrapUpKey === callKey;
  const close = () => setKept(now => now && { ...now, isClosed: true });
  useEffect(() => {
    if (callKey === undefined || isHere || isTold) return undefined;
    const timer = setTimeout(() => setKept(now => now && { ...now, isClosed: true }), KEPT_MS);
    return () => clearTimeout(timer);
  }, [callKey, isHere, isTold]);
  return { call: next && !next.isClosed ? next.call : undefined, isHere, close };
}
