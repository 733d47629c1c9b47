import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.ts';

/** Turns of the event loop after which every promise of the code under test has settled. */
const SETTLING_ROUNDS = 8;

export interface ManualClock extends Clock {
  /** Advances time task by task, and lets the promises of each task settle. */
  pass(ms: number): Promise<void>;
  /** Advances time task by task until the promise settles. Errors: those of the promise; Error if no task is left before */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Number of scheduled tasks. */
  pending(): number;
}

/** A clock that advances only when the test says so. */
export function manualClock(startAt = Date.UTC(2026, 9, 1, 1)): ManualClock {
  let now = startAt;
  const tasks = new Set<{ at: number; task: () => void }>();
  const nextDue = (until: number) =>
    [...tasks].filter(({ at }) => at <= until).reduce<{ at: number; task: () => void } | null>((a, b) => (a && a.at <= b.at ? a : b), null);
  const run = async (entry: { at: number; task: () => void }) => {
    now = entry.at;
    tasks.delete(entry);
    entry.task();
    await settle();
  };
  return {
    now: () => now,
    monotonic: () => now - startAt,
    schedule(delayMs, task) {
      const entry = { at: now + delayMs, task };
      tasks.add(entry);
      return () => tasks.delete(entry);
    },
    pending: () => tasks.size,
    async pass(ms) {
      const until = now + ms;
      await settle();
      for (let due = nextDue(until); due; due = nextDue(until)) await run(due);
      now = until;
    },
    async until(promise) {
      const outcome = { isSettled: false };
      void promise.catch(() => undefined).then(() => (outcome.isSettled = true));
      for (await settle(); !outcome.isSettled; ) {
        const due = nextDue(Number.POSITIVE_INFINITY);
        if (!due) throw new Error('no task is scheduled and the promise has not settled');
        await run(due);
      }
      return promise;
    },
  };
}

async function settle(): Promise<void> {
  for (let round = 0; round < SETTLING_ROUNDS; round++) await setImmediate();
}
