import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.ts';

/** Turns of the event loop after which every promise of the code under test has settled. */
const SETTLING_ROUNDS = 8;

export interface ManualClock extends Clock {
  /** Advances time task by task, and lets the promises of each task settle. */
  pass(ms: number): Promise<void>;
  /** Number of scheduled tasks. */
  pending(): number;
}

/** A clock that advances only when the test says so. */
export function manualClock(): ManualClock {
  let now = 1_000_000;
  const tasks = new Set<{ at: number; task: () => void }>();
  const nextDue = (until: number) =>
    [...tasks].filter(({ at }) => at <= until).reduce<{ at: number; task: () => void } | null>((a, b) => (a && a.at <= b.at ? a : b), null);
  return {
    now: () => now,
    monotonic: () => now,
    schedule(delayMs, task) {
      const entry = { at: now + delayMs, task };
      tasks.add(entry);
      return () => tasks.delete(entry);
    },
    pending: () => tasks.size,
    async pass(ms) {
      const until = now + ms;
      await settle();
      for (let due = nextDue(until); due; due = nextDue(until)) {
        now = due.at;
        tasks.delete(due);
        due.task();
        await settle();
      }
      now = until;
    },
  };
}

async function settle(): Promise<void> {
  for (let round = 0; round < SETTLING_ROUNDS; round++) await setImmediate();
}
