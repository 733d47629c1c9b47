/**
 * A secret shared by the servers only; the internal token is known to the runtimes as well.
 *
 * Why:    it is stored with the actors' state, since access to either gives access to the other
 * Errors: CACHE_UNAVAILABLE
 */
export interface ServerKey {
  read(): Promise<string>;
  /** After a failed verification: reads the key again next time, but at most once per second. */
  forget(): void;
}
