import type { Clock } from './clock.ts';

/**
 * Fails with `onTimeout()` when `work` has not settled after `ms`. The work itself goes on; its late answer is ignored.
 *
 * Units: ms
 */
export function withDeadline<T>(clock: Clock, ms: number, work: Promise<T>, onTimeout: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(ms, () => reject(onTimeout()));
    work.then(
      value => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
