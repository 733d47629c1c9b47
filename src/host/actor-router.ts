import type { ActorMessage, Delivery, Envelope, Outgoing, ReceiverType } from '#contract/nats/actor-messages.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError, isCalloutError } from '#kernel/errors.ts';
import { limitedLog } from '#kernel/limited-log.ts';
import type { Log } from '#kernel/log.ts';
import type { ActorCarrier, ActorSender } from '#ports/actor-carrier.ts';
import type { Ports } from '#ports/ports.ts';
import type { EffectContext } from './actor-host.ts';

/** The part of an actor host that a message needs. */
interface Receiver<Type extends ReceiverType> {
  send(id: string, event: ActorMessage<Type>, commandId: string): Promise<{ kind: Delivery }>;
}

export interface ActorRouterDeps extends Pick<Ports, 'clock' | 'log'> {
  /** To any instance. */
  carrier: ActorCarrier;
}

/**
 * Carries messages between actors: over the bus to any instance, and to this instance's own host while nobody answers there.
 *
 * Why:    whoever sends from an outbox clears its entry only after the receiver's commit; a message that was applied although its answer was
 *         lost is recognised by its command id, so a second way is safe and nothing stops for want of the bus
 * Errors: of the receiver's store; the sender's outbox repeats the message
 * Source: A1.9
 */
export class ActorRouter implements ActorSender {
  readonly #receivers = new Map<string, Receiver<ReceiverType>>();
  readonly #deps: ActorRouterDeps;
  readonly #log: Log;

  constructor(deps: ActorRouterDeps) {
    this.#deps = deps;
    this.#log = limitedLog(deps.log, deps.clock);
  }

  /** This instance runs actors of this type. */
  register<Type extends ReceiverType>(type: Type, receiver: Receiver<Type>): void {
    this.#receivers.set(type, receiver);
  }

  async send(envelope: Envelope): Promise<Delivery> {
    try {
      const outcome = await this.#deps.carrier.carry(envelope);
      this.#log.debug({ ...labelOf(envelope), outcome }, 'a message was carried to an actor');
      return outcome;
    } catch (error) {
      if (!isCalloutError(error, 'BUS_UNAVAILABLE')) throw error;
      this.#log.debug({ ...labelOf(envelope), reason: error.message }, 'a message to an actor goes through this instance');
      return this.deliver(envelope);
    }
  }

  /** Hands a message to this instance's host. Errors: NOT_FOUND when it runs no such actors; of the store */
  async deliver(envelope: Envelope): Promise<Delivery> {
    const { to, event, commandId } = envelope;
    const receiver = this.#receivers.get(to.type);
    if (!receiver) throw new CalloutError('NOT_FOUND', `不支持的消息：${to.type}.${event.type}`);
    const { kind } = await receiver.send(to.id, event, commandId);
    this.#log.debug({ ...labelOf(envelope), outcome: kind }, 'a message reached its actor');
    return kind;
  }
}

/** The executor of the effect `sendTo`, by which a machine sends to another actor; null: there is nobody to send to. */
export function messageSender({ actors, clock }: { actors: ActorSender; clock: Clock }) {
  return async (message: Outgoing | null, context: MessageOrigin): Promise<void> => {
    if (message === null) return;
    await actors.send({ to: message.to, event: { ...message.event, at: clock.now() }, commandId: messageId(context) } as Envelope);
  };
}

type MessageOrigin = Pick<EffectContext<unknown>, 'type' | 'id' | 'effectId'>;

/** The command id of what an effect sends: effects of two actors must not share one. */
export function messageId({ type, id, effectId }: MessageOrigin): string {
  return `${type}:${id}:${effectId}`;
}

function labelOf({ to, event, commandId }: Envelope) {
  return { actor: to.type, id: to.id, event: event.type, commandId };
}
