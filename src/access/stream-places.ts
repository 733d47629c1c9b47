import { CalloutError } from '#kernel/errors.ts';
import type { StreamPlaces } from '#platform/http/stream-guards.ts';

const RETRY_AFTER_SECONDS = 3;

export interface StreamLimits {
  /** 0 sets no limit. */
  streamsPerSession: number;
  streamsPerUser: number;
}

/** Why: a page that opens streams in a loop must not take the places of other users */
export function createStreamPlaces({ streamsPerSession, streamsPerUser }: StreamLimits): StreamPlaces {
  const open = new Map<string, number>();
  const change = (key: string, by: 1 | -1) => {
    const count = (open.get(key) ?? 0) + by;
    if (count === 0) open.delete(key);
    else open.set(key, count);
  };
  return {
    take({ sessionId, userId }) {
      if (sessionId === null) return () => undefined;
      const places = [
        { key: `session:${sessionId}`, limit: streamsPerSession },
        ...(userId === null ? [] : [{ key: `user:${userId}`, limit: streamsPerUser }]),
      ];
      if (places.some(({ key, limit }) => limit > 0 && (open.get(key) ?? 0) >= limit)) throw tooMany();
      for (const { key } of places) change(key, 1);
      let isTaken = true;
      return () => {
        if (isTaken) for (const { key } of places) change(key, -1);
        isTaken = false;
      };
    },
  };
}

function tooMany(): CalloutError {
  return new CalloutError('RATE_LIMITED', '实时连接过多，请先关闭其他页面', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
