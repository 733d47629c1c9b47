/**
 * Publishes changes of live calls to the subscribers of every instance. A gap in `version` reveals a lost delta.
 *
 * Source: A1.5, A4 `callout.v1.live.<campaignId>.<userId or _>.<requestId>.<kind>`
 */
export interface LiveDeltas {
  publish(delta: LiveDelta): void;
  /** Calls `listener` for each delta, including this instance's own; the returned function unsubscribes. */
  subscribe(listener: (delta: LiveDelta) => void): () => void;
}

export interface LiveDelta {
  requestId: string;
  campaignId: number;
  kind: LiveDeltaKind;
  version: number;
  /** UTC ms. */
  at: number;
  /** For `segment`, the segment; for all other kinds, the whole changeable part of the call (calls/publish-call.ts `CallChange`). */
  data: Readonly<Record<string, unknown>>;
}

/** `assignment`, `intervention` and `intent-alert` name the part of the call that has changed. */
export type LiveDeltaKind = 'call-started' | 'call-changed' | 'segment' | 'assignment' | 'intervention' | 'intent-alert' | 'call-ended';

export interface DeltasPart {
  deltas: LiveDeltas;
}

/** Shares one bus subscription among all feeds of the process, open only while one of them listens. */
export function sharedDeltas(deltas: LiveDeltas): LiveDeltas {
  const listeners = new Set<(delta: LiveDelta) => void>();
  let stop: (() => void) | null = null;
  return {
    publish: delta => deltas.publish(delta),
    subscribe(listener) {
      const own = (delta: LiveDelta) => listener(delta);
      listeners.add(own);
      stop ??= deltas.subscribe(delta => {
        for (const each of listeners) each(delta);
      });
      return () => {
        listeners.delete(own);
        if (listeners.size > 0) return;
        stop?.();
        stop = null;
      };
    },
  };
}
