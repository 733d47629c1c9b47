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

/** How an actor reaches another one, wherever it runs. Errors: of the receiver's store; the sender's outbox repeats the message */
export interface ActorSender {
  send(envelope: Envelope): Promise<Delivery>;
}
