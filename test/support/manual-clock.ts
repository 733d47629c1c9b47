import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.ts';

/** Rounds of the event loop that let every promise of the code under test settle. */
const SETTLING_ROUNDS = 8;

export interface ManualClock extends Clock {
  /** Lets time pass, task by task, and what each starts settle. */
  pass(ms: number): Promise<void>;
  /** Tasks that wait for their time. */
  pending(): number;
}

/** Time that passes when the test says so. */
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
