import type { Clock } from '#kernel/clock.ts';

/** A clock that advances only when the test says so; I/O is not affected. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export function manualClock(now = Date.parse('2026-03-11T10:00:00+08:00')): ManualClock {
  let at = 0;
  const tasks = new Set<{ due: number; run: () => void }>();
  return {
    now: () => now + at,
    monotonic: () => at,
    schedule(delayMs, run) {
      const task = { due: at + delayMs, run };
      tasks.add(task);
      return () => void tasks.delete(task);
    },
    advance(ms) {
      at += ms;
      for (const task of Array.from(tasks)) {
        if (task.due > at || !tasks.delete(task)) continue;
        task.run();
      }
    },
  };
}
