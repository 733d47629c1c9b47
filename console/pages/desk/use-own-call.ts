import { useEffect, useState } from 'react';
import type { WatchedCall } from '../../live/call-changes.ts';
import { ownCall } from './my-calls.ts';

/** Longest time between the end of the user's leg and the end of the call, in ms: the bot may say goodbye. */
const GOODBYE_MS = 15_000;

interface Kept {
  callKey: string;
  isClosed: boolean;
}

/**
 * Key of the user's own call. It stays while the bot says goodbye, when the call has no agent for a moment, and until the user closes it or it is
 * not kept any more.
 */
export function useOwnCall(calls: readonly WatchedCall[], userId: string): { callKey: string | undefined; close: () => void } {
  const found = ownCall(calls, userId)?.callKey;
  const [kept, setKept] = useState<Kept | null>(null);
  // Stored during the render, so that the call does not vanish between two paints.
  if (found !== undefined && found !== kept?.callKey) setKept({ callKey: found, isClosed: false });
  useEffect(() => {
    if (found !== undefined) return undefined;
    const timer = setTimeout(() => setKept(null), GOODBYE_MS);
    return () => clearTimeout(timer);
  }, [found]);
  const close = () => setKept(now => now && { ...now, isClosed: true });
  return { callKey: kept && !kept.isClosed ? kept.callKey : undefined, close };
}
