import { sleep } from '#kernel/clock.ts';
import type { Ports } from '#ports/ports.ts';
import { applyRetention, type ApplyRetentionDeps } from './apply-retention.ts';

export type RunRetentionDeps = ApplyRetentionDeps & Pick<Ports, 'locks'>;

/** Between the beginnings of two runs of all servers together, ms. */
const INTERVAL_MS = 3_600_000;
/** Each server asks this often whether the next run is due, ms. */
const LOOK_MS = 60_000;

/**
 * Applies the limits once an hour, one server at a time, until the signal aborts.
 *
 * Why: the lock is kept after the run until its life ends: whoever takes it next is an hour later, whichever server that is. A run that failed gives
 *      it back, and two runs at once are harmless
 */
export async function runRetention(deps: RunRetentionDeps, signal: AbortSignal): Promise<void> {
  if (Object.values(deps.retentionLimits).every(days => days === 0)) return;
  while (!signal.aborted) {
    await runOnce(deps, signal).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'what has been kept long enough could not be deleted; tried again'),
    );
    await sleep(deps.clock, LOOK_MS, signal);
  }
}

async function runOnce(deps: RunRetentionDeps, signal: AbortSignal): Promise<void> {
  const token = await deps.locks.acquire('retention', INTERVAL_MS);
  if (token === null) return;
  try {
    await applyRetention(deps, signal);
  } catch (error) {
    await deps.locks.release('retention', token);
    throw error;
  }
}
