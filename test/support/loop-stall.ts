import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Resolution of the switch's timestamps and of the histogram, in ms. */
const RESOLUTION_MS = 2;

/**
 * Measures the longest time for which this process ran no callbacks.
 *
 * Why: the simulated switch shares its event loop with the test, often with the servers too, so its timestamps lag by up to that time
 *
 * Shape: `start()` forgets earlier stalls; `longestMs()` is the longest since then, plus the resolution
 */
export function loopStall() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  return {
    start() {
      delay.reset();
      delay.enable();
    },
    stop() {
      delay.disable();
    },
    longestMs: () => delay.max / 1e6 + RESOLUTION_MS,
  };
}
