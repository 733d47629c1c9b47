import type { Cancel, Clock } from './clock.ts';

/** A deadline is counted in parts: a process that stood still loses one of them at most. */
const PARTS = 8;

/**
 * Fails with `onTimeout()` when `work` has not settled while this process ran for `ms`. The work itself goes on; its late answer is ignored.
 *
 * Why:    a process that stood still (suspended, starved of CPU) runs its due timers before it reads what has arrived meanwhile, so one
 *         timer for the whole would take its own standstill for the other side's silence
 * Units:  ms
 * Errors: `onTimeout()`; whatever `work` rejects with
 */
export function withDeadline<T>(clock: Clock, ms: number, work: Promise<T>, onTimeout: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel: Cancel = () => {};
    const wait = (parts: number) => {
      cancel = clock.schedule(ms / PARTS, () => (parts > 1 ? wait(parts - 1) : reject(onTimeout())));
    };
    wait(PARTS);
    work.then(
      value => {
        cancel();
        resolve(value);
      },
      (error: Error) => {
        cancel();
        // As it is: callers look at its code.
        reject(error);
      },
    );
  });
}
