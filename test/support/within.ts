import { systemClock } from '#kernel/clock.ts';

/** Longer than any single step takes on a machine that stands still at times, and shorter than what jest gives a hook. */
const STEP_TIMEOUT_MS = 90_000;

/**
 * What `work` gives; a step of a rig that never ends fails by its name instead of as the hook that it is in.
 *
 * Errors: those of `work`; Error naming `what` after `timeoutMs`
 */
export async function within<T>(what: string, work: Promise<T>, timeoutMs = STEP_TIMEOUT_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = systemClock.schedule(timeoutMs, () => late.reject(new Error(`${what} did not end within ${timeoutMs} ms`)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
