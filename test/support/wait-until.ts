import { sleep, systemClock } from '#kernel/clock.ts';
import { within } from './within.ts';

/** A condition that is never met fails the test with its name, well before Jest's own time-out. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** Shortest pause between two probes. */
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 80;
/** Length of a pause in times of the probe before it: requests that poll must not take the processor from what they wait for. */
const PAUSE_PER_PROBE = 4;
/** Extra time for a probe that started before the deadline, ms. */
const PROBE_GRACE_MS = 5_000;

/**
 * Polls `probe` until it returns something truthy, and returns that.
 *
 * Errors: Error naming `what` and the last value or error after `timeoutMs`
 */
export async function waitUntil<T>(what: string, probe: () => T | Promise<T>, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<NonNullable<T>> {
  const deadline = systemClock.monotonic() + timeoutMs;
  for (;;) {
    const beganAt = systemClock.monotonic();
    const seen = await attempt(probe, deadline - beganAt);
    if (seen.ok && seen.value) return seen.value;
    const endedAt = systemClock.monotonic();
    if (endedAt > deadline) throw new Error(`waited ${timeoutMs} ms for: ${what}; last seen: ${describe(seen)}`);
    await sleep(systemClock, Math.min(Math.max((endedAt - beganAt) * PAUSE_PER_PROBE, MIN_PAUSE_MS), MAX_PAUSE_MS));
  }
}

type Attempt<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** Runs the probe with a time limit, so that one that never settles cannot block the wait. */
async function attempt<T>(probe: () => T | Promise<T>, leftMs: number): Promise<Attempt<T>> {
  try {
    const value = probe();
    return { ok: true, value: value instanceof Promise ? await within('the probe', value, Math.max(leftMs, 0) + PROBE_GRACE_MS) : value };
  } catch (error) {
    return { ok: false, error };
  }
}

function describe(seen: Attempt<unknown>): string {
  if (!seen.ok) return seen.error instanceof Error ? seen.error.message : String(seen.error);
  return JSON.stringify(seen.value) ?? 'undefined';
}
