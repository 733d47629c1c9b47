import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.ts';

export interface VirtualClock extends Clock {
  /** Advances timer by timer until the promise settles. Errors: Error when it never does */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Advances by `ms`. */
  pass(ms: number): Promise<void>;
  /** Number of pending tasks, which would keep a process with the system clock alive. */
  scheduled(): number;
}

/** Turns of the event loop within which chained promises settle. */
const TURNS = 3;

/** A clock that advances only when the test says so. */
export function virtualClock(start = Date.UTC(2026, 9, 1, 1)): VirtualClock {
  let elapsed = 0;
  const timers = new Set<{ at: number; task: () => void }>();
  const next = () => [...timers].sort((a, b) => a.at - b.at)[0];
  const rest = async () => {
    for (let turn = 0; turn < TURNS; turn++) await setImmediate();
  };
  const fire = (timer: { at: number; task: () => void }) => {
    timers.delete(timer);
    elapsed = Math.max(elapsed, timer.at);
    timer.task();
  };
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    schedule(delayMs, task) {
      const timer = { at: elapsed + delayMs, task };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async until(promise) {
      const outcome = { settled: false };
      void promise.catch(() => undefined).then(() => (outcome.settled = true));
      for (await rest(); !outcome.settled; await rest()) {
        const timer = next();
        if (!timer) throw new Error('nothing is scheduled and the promise has not settled');
        fire(timer);
      }
      return promise;
    },
    async pass(ms) {
      const end = elapsed + ms;
      await rest();
      for (let timer = next(); timer && timer.at <= end; timer = next()) {
        fire(timer);
        await rest();
      }
      elapsed = end;
    },
    scheduled: () => timers.size,
  };
}
