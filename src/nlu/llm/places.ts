import { modelBusy, modelTimedOut } from './failures.ts';

/** Limits concurrent questions, with a bounded queue. */
export interface Places {
  /**
   * Runs `work` once a place is free.
   *
   * Errors: RATE_LIMITED when places and queue are full; DOWNSTREAM_TIMEOUT when `signal` aborts while queued
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function places(count: number): Places {
  let free = count;
  const queue: (() => void)[] = [];
  const release = () => {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  };
  const take = (signal: AbortSignal): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    if (queue.length >= count) return Promise.reject(modelBusy());
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.splice(queue.indexOf(enter), 1);
        reject(modelTimedOut());
      };
      queue.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  };
  return {
    async run(signal, work) {
      await take(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
