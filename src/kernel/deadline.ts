import type { Cancel, Clock } from './clock.ts';

/** Number of timers that make up one deadline: a process that was suspended skips at most one of them. */
const PARTS = 8;

/**
 * Rejects with `onTimeout()` when `work` has not settled within `ms` of process time. The work itself goes on; its late result is ignored.
 *
 * Why:    a process that resumes (after a suspension, or starved of CPU) runs its due timers before it reads the data that arrived
 *         meanwhile, so a single timer would count its own pause as the other side's silence
 * Units:  ms
 * Errors: `onTimeout()`, or the error that `work` rejects with
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
        // Rethrown unchanged: callers check its code.
        reject(error);
      },
    );
  });
}
