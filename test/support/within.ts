import { systemClock } from '#kernel/clock.ts';

/** Longer than any single step takes on a machine that stalls at times, and shorter than Jest's time-out of a hook, ms. */
const STEP_TIMEOUT_MS = 90_000;

/**
 * Returns the result of `work`. A step of a rig that never ends fails with its own name, not with that of the hook that runs it.
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
