import { CalloutError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/caller.ts';

export interface PlaceLimits {
  /** Most places in use by all users together. */
  all: number;
  ofUser: number;
  /** Error message beyond the limits, in Chinese. */
  refusal: string;
  retryAfterSeconds: number;
}

export type UserPlaces = ReturnType<typeof createUserPlaces>;

/**
 * Limits concurrent work whose duration the client controls; each place is held until the work ends.
 *
 * Why:    a client that reads or sends slowly takes no place of other users; without authentication, clients share the total
 * Errors: RATE_LIMITED when no place is free
 */
export function createUserPlaces({ all, ofUser, refusal, retryAfterSeconds }: PlaceLimits) {
  const held: Caller['userId'][] = [];
  return async <T>({ userId }: Pick<Caller, 'userId'>, work: () => Promise<T>): Promise<T> => {
    const own = userId === null ? 0 : held.filter(other => other === userId).length;
    if (held.length >= all || own >= ofUser) throw new CalloutError('RATE_LIMITED', refusal, { retryAfterSeconds });
    held.push(userId);
    try {
      return await work();
    } finally {
      held.splice(held.indexOf(userId), 1);
    }
  };
}
