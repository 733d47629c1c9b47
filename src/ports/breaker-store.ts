import type { Breaker } from '#rules/breaker.ts';

/**
 * The breaker of each campaign, shared by all instances. A lost cache closes them all: nothing is dialled less safely for it.
 *
 * Units:  `at` UTC ms by the store's own clock
 * Errors: CACHE_UNAVAILABLE from every method; LOCK_CONTENDED from `change` when others change it again and again
 */
export interface BreakerStore {
  read(campaignId: number): Promise<{ breaker: Breaker; at: number }>;
  /** Writes what `decide` makes of the breaker unless it answers the same object; decides anew when another instance came first. */
  change(campaignId: number, decide: (breaker: Breaker, at: number) => Breaker): Promise<{ before: Breaker; after: Breaker; at: number }>;
}
