import type { RuntimeEventSignals } from '#runtime-events/runtime-event-store.ts';

/** Signals within one process; other instances learn of new events when their feed polls. */
export function localRuntimeEventSignals(): RuntimeEventSignals {
  const listeners = new Set<() => void>();
  return {
    publish() {
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}
