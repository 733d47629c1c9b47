/**
 * A secret shared by the servers only; the internal token is known to the runtimes as well.
 *
 * Why:    it is stored with the actors' state, since access to either gives access to the other
 * Errors: CACHE_UNAVAILABLE
 */
export interface ServerKey {
  read(): Promise<string>;
  /** To be called after a failed verification: the next `read` loads the key again, but at most once per second. */
  forget(): void;
}
