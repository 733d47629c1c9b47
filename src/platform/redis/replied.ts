/**
 * Results of a pipeline's commands. To be called inside `RedisLink.run`.
 *
 * Why:    a pipeline does not reject when its commands fail, even without a connection. A failed command must not look like a missing key,
 *         nor throw where its error is not mapped to CACHE_UNAVAILABLE
 * Errors: the error of the first failed command
 */
export function replied(replies: readonly [error: Error | null, value: unknown][] | null): unknown[] {
  return (replies ?? []).map(([error, value]) => {
    if (error) throw error;
    return value;
  });
}
