import type { ActorMessage, Delivery, Envelope, Outgoing, ReceiverType } from '#protocol/actor-messages.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError, isCalloutError } from '#kernel/errors.ts';
import { limitedLog, type Log } from '#kernel/log.ts';
import type { ActorCarrier, ActorSender } from './actor-carrier.ts';
import type { Platform } from '../platform.ts';
import type { EffectContext } from './aggregate.ts';

/** The part of an actor host that receives messages. */
interface Receiver<Type extends ReceiverType> {
  send(id: string, event: ActorMessage<Type>, commandId: string): Promise<{ kind: Delivery }>;
}

export interface ActorRouterOptions extends Pick<Platform, 'clock' | 'log'> {
  /** Reaches any instance. */
  carrier: ActorCarrier;
}

/**
 * Delivers messages between actors: over the bus to any instance, or through this instance's own host while the bus has no answer.
 *
 * Why:    the sender clears its outbox entry only after the receiver's commit. A message that was applied although its reply was lost is
 *         recognised by its command id, so the second route is safe and a bus failure stops nothing
 * Errors: those of the receiver's store; the sender's outbox repeats the message
 * Source: A1.9
 */
export class ActorRouter implements ActorSender {
  readonly #receivers = new Map<string, Receiver<ReceiverType>>();
  readonly #options: ActorRouterOptions;
  readonly #log: Log;

  constructor(options: ActorRouterOptions) {
    this.#options = options;
    this.#log = limitedLog(options.log, options.clock);
  }

  /** Declares that this instance runs actors of this type. */
  register<Type extends ReceiverType>(type: Type, receiver: Receiver<Type>): void {
    this.#receivers.set(type, receiver);
  }

  async send(envelope: Envelope): Promise<Delivery> {
    try {
      const outcome = await this.#options.carrier.carry(envelope);
      this.#log.debug({ ...labelOf(envelope), outcome }, 'a message was carried to an actor');
      return outcome;
    } catch (error) {
      if (!isCalloutError(error, 'BUS_UNAVAILABLE')) throw error;
      this.#log.debug({ ...labelOf(envelope), reason: error.message }, 'a message to an actor goes through this instance');
      return this.deliver(envelope);
    }
  }

  /** Delivers a message to this instance's host. Errors: NOT_FOUND when it runs no actors of the type; those of the store */
  async deliver(envelope: Envelope): Promise<Delivery> {
    const { to, event, commandId } = envelope;
    const receiver = this.#receivers.get(to.type);
    if (!receiver) throw new CalloutError('NOT_FOUND', `不支持的消息：${to.type}.${event.type}`);
    const { kind } = await receiver.send(to.id, event, commandId);
    this.#log.debug({ ...labelOf(envelope), outcome: kind }, 'a message reached its actor');
    return kind;
  }
}

/** Executor of the effect `sendTo`, by which a machine sends to another actor; a null message has no recipient and is dropped. */
export function messageSender({ actors, clock }: { actors: ActorSender; clock: Clock }) {
  return async (message: Outgoing | null, context: MessageOrigin): Promise<void> => {
    if (message === null) return;
    await actors.send({ to: message.to, event: { ...message.event, at: clock.now() }, commandId: messageId(context) } as Envelope);
  };
}

type MessageOrigin = Pick<EffectContext<unknown>, 'type' | 'id' | 'effectId'>;

/** Command id of a message sent by an effect; unique across actors. */
export function messageId({ type, id, effectId }: MessageOrigin): string {
  return `${type}:${id}:${effectId}`;
}

function labelOf({ to, event, commandId }: Envelope) {
  return { actor: to.type, id: to.id, event: event.type, commandId };
}
