import { type Clock, sleep } from '#kernel/clock.ts';
import { type PlaceDeps, placeCalls } from './place-calls.ts';

/** Half of the time within which calls of an ended presence must move (D9.4), in ms. */
const TICK_MS = 400;
/** Most calls whose placement is published again in one round. */
const MAX_REPUBLISHED = 200;

/** Ends expired presences and repeats unconfirmed notifications; every instance runs it. Source: D9.4 */
export async function runMonitoring(deps: PlaceDeps & { clock: Clock }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await deps.monitors
      .tick(MAX_REPUBLISHED)
      .then(step => placeCalls(deps, step))
      .catch((error: unknown) => deps.log.warn({ err: error }, 'monitor presences could not be checked'));
    await sleep(deps.clock, TICK_MS, signal);
  }
}
