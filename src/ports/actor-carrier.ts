import type { Delivery, Envelope } from '#contract/nats/actor-messages.ts';

/**
 * The way of a message to whichever instance takes it.
 *
 * Errors: BUS_UNAVAILABLE when none has answered: it may have been applied all the same; CACHE_UNAVAILABLE
 * Source: A1.9
 */
export interface ActorCarrier {
  carry(envelope: Envelope): Promise<Delivery>;
}
