import type { LiveDelta, LiveDeltas } from './live-deltas.ts';

/** Shares one bus subscription among all feeds of the process, open only while one of them listens. */
export function sharedDeltas(deltas: Pick<LiveDeltas, 'subscribe'>): Pick<LiveDeltas, 'subscribe'> {
  const listeners = new Set<(delta: LiveDelta) => void>();
  let stop: (() => void) | null = null;
  return {
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
