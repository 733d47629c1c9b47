import { sleep } from '#kernel/clock.ts';
import type { Platform } from '#platform/platform.ts';
import { applyRetention, type ApplyRetentionDeps } from './apply-retention.ts';

export type RunRetentionDeps = ApplyRetentionDeps & Pick<Platform, 'locks'>;

/** Interval between the starts of two runs, across all servers, in ms. */
const INTERVAL_MS = 3_600_000;
/** Interval at which each server checks whether the next run is due, in ms. */
const LOOK_MS = 60_000;

/**
 * Applies the limits once an hour, one server at a time, until the signal aborts.
 *
 * Why: the lock stays held after a run until it expires, so that the next run, on any server, starts an hour later. A failed run releases it,
 *      and two concurrent runs are harmless
 */
export async function runRetention(deps: RunRetentionDeps, signal: AbortSignal): Promise<void> {
  if (Object.values(deps.retentionLimits).every(days => days === 0)) return;
  while (!signal.aborted) {
    await runOnce(deps, signal).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'data past their retention period could not be deleted; the next round retries'),
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
