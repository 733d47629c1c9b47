import { type Clock, sleep } from '#kernel/clock.ts';
import { type PlaceDeps, placeCalls } from './place-calls.ts';

/** Half of the time in which calls of an ended presence move on (D9.4), ms. */
const TICK_MS = 400;
/** Calls published again in one round. */
const MAX_TOLD = 200;

/** Ends presences whose time is over and publishes what has not been published; every instance runs it. Source: D9.4 */
export async function runMonitoring(deps: PlaceDeps & { clock: Clock }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await deps.monitors
      .tick(MAX_TOLD)
      .then(step => placeCalls(deps, step))
      .catch((error: unknown) => deps.log.warn({ err: error }, 'monitors could not be looked after'));
    await sleep(deps.clock, TICK_MS, signal);
  }
}
