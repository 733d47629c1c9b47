import type { Delivery, Envelope } from '#protocol/actor-messages.ts';

/**
 * Transport of a message to any instance that accepts it.
 *
 * Errors: BUS_UNAVAILABLE when none has answered (the message may have been applied nevertheless); CACHE_UNAVAILABLE
 * Source: A1.9
 */
export interface ActorCarrier {
  carry(envelope: Envelope): Promise<Delivery>;
}

/** Sends a message to another actor, on whichever instance. Errors: those of the receiver's store; the sender's outbox repeats the message */
export interface ActorSender {
  send(envelope: Envelope): Promise<Delivery>;
}
