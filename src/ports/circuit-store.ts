import type { Circuit } from '#rules/circuit-breaker.ts';

/**
 * The circuit of each campaign, shared by all instances. A lost cache closes them all: nothing is dialled less safely for it.
 *
 * Units:  `at` UTC ms by the store's own clock
 * Errors: CACHE_UNAVAILABLE from every method; LOCK_CONTENDED from `change` when others change it again and again
 */
export interface CircuitStore {
  read(campaignId: number): Promise<{ circuit: Circuit; at: number }>;
  /** Writes what `decide` makes of the circuit unless it answers the same object; decides anew when another instance came first. */
  change(campaignId: number, decide: (circuit: Circuit, at: number) => Circuit): Promise<{ before: Circuit; after: Circuit; at: number }>;
}
