/**
 * What each command of a pipeline gave. Called inside `RedisLink.run`.
 *
 * Why:    a pipeline does not fail with its commands, not even without a connection: one that failed must neither look like something that is gone,
 *         nor be thrown where nobody calls it CACHE_UNAVAILABLE
 * Errors: that of the first command that failed
 */
export function replied(replies: readonly [error: Error | null, value: unknown][] | null): unknown[] {
  return (replies ?? []).map(([error, value]) => {
    if (error) throw error;
    return value;
  });
}
