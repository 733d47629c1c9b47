import { CalloutError } from '#kernel/errors.ts';
import type { Caller } from './caller.ts';

export interface PlaceLimits {
  /** Of everybody together. */
  all: number;
  ofUser: number;
  /** What is said to one too many, Chinese. */
  refusal: string;
  retryAfterSeconds: number;
}

export type UserPlaces = ReturnType<typeof createUserPlaces>;

/**
 * Places for work that lasts as long as a client likes, each held until it is given back.
 *
 * Why:    whoever reads or sends slowly takes nobody else's place; without authentication everybody is one user, and the limit of all holds
 * Errors: RATE_LIMITED when there is none
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
