/**
 * Counts failed logins: 5 per user and address in 15 min, 30 per address in 5 min.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D3.3
 */
export interface LoginLimit {
  /** Null when a try is allowed, else seconds until the next one is. */
  blockedForSeconds(attempt: LoginTry): Promise<number | null>;
  recordFailure(attempt: LoginTry): Promise<void>;
  /** A success forgets the failures of this user at this address, not those of the address. */
  forgive(attempt: LoginTry): Promise<void>;
}

export interface LoginTry {
  username: string;
  address: string;
}
