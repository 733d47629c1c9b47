/**
 * The only source of time: production passes `systemClock`, the simulation passes its own clock.
 *
 * Units: `now` UTC ms; `monotonic` ms since an arbitrary start, never decreases
 */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  schedule(delayMs: number, task: () => void): Cancel;
}

export type Cancel = () => void;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when `signal` aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.schedule(ms, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
