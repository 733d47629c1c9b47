import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import { isSigned, sign } from '#kernel/signature.ts';
import { currentTrace, inTrace, parseTraceparent, traceparent } from '#kernel/trace.ts';
import {
  ACTOR_MESSAGES,
  COMMAND_ID_HEADER,
  delivery,
  type Delivery,
  type Envelope,
  type ReceiverType,
  SENT_AT_HEADER,
  SIGNATURE_HEADER,
  signedParts,
  TRACE_HEADER,
} from '#protocol/actor-messages.ts';
import { actorSubject } from '#protocol/subjects.ts';
import type { ActorCarrier } from '../actor-host/actor-carrier.ts';
import type { Platform } from '../platform.ts';
import type { ServerKey } from '../redis/server-key.ts';
import type { Bus, BusMessage } from './bus.ts';
import { parseMessage } from './requests.ts';
import { membersOf } from '#kernel/typed.ts';

export interface ActorMessageOptions extends Pick<Platform, 'clock'> {
  actors: { deliver(envelope: Envelope): Promise<Delivery> };
  serverKey: ServerKey;
}

/**
 * Maximum age of a message, in ms: limits how long a recorded message could be replayed and how far the servers' clocks may differ. A
 * sender that is refused delivers through its own host.
 */
const MAX_AGE_MS = 30_000;

/** Only servers sign their messages; a request of any other client carries no signature. */
export function isActorMessage({ headers }: BusMessage): boolean {
  return headers?.[SIGNATURE_HEADER] !== undefined;
}

/**
 * Delivers a message from an actor of any instance to one of ours, within the sender's trace.
 *
 * Errors: UNAUTHENTICATED without a server's signature of the last half minute; INVALID_ARGUMENT; NOT_FOUND; errors of the receiver's store
 * Source: A1.9, A4
 */
export async function deliverMessage(options: ActorMessageOptions, message: BusMessage): Promise<Delivery> {
  const { subject, body, headers = {} } = message;
  const commandId = headers[COMMAND_ID_HEADER] ?? '';
  const sentAt = headers[SENT_AT_HEADER] ?? '';
  requireFresh(options.clock, sentAt);
  await requireSigned(options.serverKey, signedParts({ subject, commandId, sentAt, event: body }), headers[SIGNATURE_HEADER] ?? '');
  const [, , , type = '', id = ''] = subject.split('.');
  if (!Object.hasOwn(ACTOR_MESSAGES, type)) throw new CalloutError('NOT_FOUND', `不支持的消息：${type}`);
  const event = parseMessage(ACTOR_MESSAGES[type as ReceiverType], body);
  const work = () => options.actors.deliver({ to: { type, id }, event, commandId } as Envelope);
  const trace = parseTraceparent(headers[TRACE_HEADER]);
  return trace === null ? work() : inTrace(trace, work);
}

function requireFresh(clock: Clock, sentAt: string): void {
  const isFresh = sentAt !== '' && Math.abs(clock.now() - Number(sentAt)) <= MAX_AGE_MS;
  if (!isFresh) throw new CalloutError('UNAUTHENTICATED', '消息已过期，或服务器时钟相差过大');
}

/** Checks a second time with a freshly read key, because the sender may have read a newer one. */
async function requireSigned(key: ServerKey, parts: readonly string[], signature: string): Promise<void> {
  for (let look = 0; look < 2; look++) {
    if (isSigned(await key.read(), parts, signature)) return;
    key.forget();
  }
  throw new CalloutError('UNAUTHENTICATED', '消息不是由服务器发出');
}

/** A commit takes a few ms; there is no point in waiting longer for an instance that is stuck. ms */
const ANSWER_TIMEOUT_MS = 1_000;

interface CarrierOptions {
  bus: Bus;
  key: ServerKey;
  ids: IdSource;
  clock: Clock;
}

/** Sends messages between actors as requests to the servers' queue group, signed because the runtimes use the same bus. Source: A4 */
export function natsActorCarrier({ bus, key, ids, clock }: CarrierOptions): ActorCarrier {
  return {
    async carry({ to, event, commandId }) {
      if (!bus.isConnected()) throw new CalloutError('BUS_UNAVAILABLE', '消息总线暂不可用');
      const subject = actorSubject(to.type, to.id, event.type);
      const trace = currentTrace();
      const sentAt = String(clock.now());
      const answer = await bus.request(subject, event, ANSWER_TIMEOUT_MS, {
        [COMMAND_ID_HEADER]: commandId,
        [SENT_AT_HEADER]: sentAt,
        [SIGNATURE_HEADER]: sign(await key.read(), signedParts({ subject, commandId, sentAt, event })),
        ...(trace === undefined ? {} : { [TRACE_HEADER]: traceparent(trace, ids) }),
      });
      const outcome = parseUntrusted(delivery, membersOf(answer)['data']);
      if (outcome.success) return outcome.data;
      // Rejected by an instance of another version, or with another key because the cache was wiped.
      key.forget();
      throw new CalloutError('BUS_UNAVAILABLE', '消息未被接受', { cause: answer });
    },
  };
}
