/**
 * A secret of the servers alone; the internal token is the runtime's too.
 *
 * Why:    it lives where the actors' state lives: whoever reaches one reaches the other
 * Errors: CACHE_UNAVAILABLE
 */
export interface ServerKey {
  read(): Promise<string>;
  /** It did not fit: reads it anew next time, but not more than once in a second. */
  forget(): void;
}
