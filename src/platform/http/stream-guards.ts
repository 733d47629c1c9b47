import type { Caller } from '#kernel/caller.ts';

/** Notifies open streams when their session ends. */
export interface SessionWatch {
  /** Calls `onEnd` once, within 1 s of the session's end; the returned function stops watching. Null (no session) never ends. */
  watch(sessionId: string | null, onEnd: () => void): () => void;
  close(): void;
}

/** Counts the open event streams and sockets of one process by session and by user. */
export interface StreamPlaces {
  /** Reserves a place; the returned function releases it once. Errors: RATE_LIMITED when the session or the user has too many */
  take(caller: Pick<Caller, 'sessionId' | 'userId'>): () => void;
}
