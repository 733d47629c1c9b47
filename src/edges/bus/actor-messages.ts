import {
  ACTOR_MESSAGES,
  COMMAND_ID_HEADER,
  type Delivery,
  type Envelope,
  type ReceiverType,
  SENT_AT_HEADER,
  SIGNATURE_HEADER,
  signedParts,
  TRACE_HEADER,
} from '#contract/nats/actor-messages.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { isSigned } from '#kernel/signature.ts';
import { inTrace, parseTraceparent } from '#kernel/trace.ts';
import type { BusMessage } from '#ports/bus.ts';
import type { ServerKey } from '#ports/server-key.ts';
import type { Ports } from '#ports/ports.ts';
import { parseMessage } from './parse-message.ts';

export interface ActorMessageDeps extends Pick<Ports, 'clock'> {
  actors: { deliver(envelope: Envelope): Promise<Delivery> };
  serverKey: ServerKey;
}

/**
 * What was recorded on the bus is worth nothing later; servers' clocks may differ by as much. Whoever is refused goes through its own host. ms
 */
const MAX_AGE_MS = 30_000;

/** Only servers speak to actors as actors do; a request of anybody else carries no signature. */
export function isActorMessage({ headers }: BusMessage): boolean {
  return headers?.[SIGNATURE_HEADER] !== undefined;
}

/**
 * Hands on what an actor of any instance sends to one of ours, in its sender's trace.
 *
 * Errors: UNAUTHENTICATED when no server has signed it, or not within the last half minute; INVALID_ARGUMENT; NOT_FOUND; of the receiver's store
 * Source: A1.9, A4
 */
export async function deliverMessage(deps: ActorMessageDeps, message: BusMessage): Promise<Delivery> {
  const { subject, body, headers = {} } = message;
  const commandId = headers[COMMAND_ID_HEADER] ?? '';
  const sentAt = headers[SENT_AT_HEADER] ?? '';
  requireFresh(deps.clock, sentAt);
  await requireSigned(deps.serverKey, signedParts({ subject, commandId, sentAt, event: body }), headers[SIGNATURE_HEADER] ?? '');
  const [, , , type = '', id = ''] = subject.split('.');
  if (!Object.hasOwn(ACTOR_MESSAGES, type)) throw new CalloutError('NOT_FOUND', `不支持的消息：${type}`);
  const event = parseMessage(ACTOR_MESSAGES[type as ReceiverType], body);
  const work = () => deps.actors.deliver({ to: { type, id }, event, commandId } as Envelope);
  const trace = parseTraceparent(headers[TRACE_HEADER]);
  return trace === null ? work() : inTrace(trace, work);
}

function requireFresh(clock: Clock, sentAt: string): void {
  const isFresh = sentAt !== '' && Math.abs(clock.now() - Number(sentAt)) <= MAX_AGE_MS;
  if (!isFresh) throw new CalloutError('UNAUTHENTICATED', '消息已过期，或服务器时钟相差过大');
}

/** One of a server that has read a newer key than we have fits at the second look. */
async function requireSigned(key: ServerKey, parts: readonly string[], signature: string): Promise<void> {
  for (let look = 0; look < 2; look++) {
    if (isSigned(await key.read(), parts, signature)) return;
    key.forget();
  }
  throw new CalloutError('UNAUTHENTICATED', '消息不是由服务器发出');
}
