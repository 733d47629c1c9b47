import { COMMAND_ID_HEADER, delivery, SENT_AT_HEADER, SIGNATURE_HEADER, signedParts, TRACE_HEADER } from '#protocol/actor-messages.ts';
import { actorSubject } from '#protocol/subjects.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import { sign } from '#kernel/signature.ts';
import { currentTrace, traceparent } from '#kernel/trace.ts';
import type { ActorCarrier } from '../actor-host/actor-carrier.ts';
import type { Bus } from './bus.ts';
import type { ServerKey } from '../redis/ports-server-key.ts';

/** A commit takes a few ms; there is no point in waiting longer for an instance that is stuck. ms */
const ANSWER_TIMEOUT_MS = 1_000;

interface CarrierDeps {
  bus: Bus;
  key: ServerKey;
  ids: IdSource;
  clock: Clock;
}

/** Sends messages between actors as requests to the servers' queue group, signed because the runtimes use the same bus. Source: A4 */
export function natsActorCarrier({ bus, key, ids, clock }: CarrierDeps): ActorCarrier {
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
      const outcome = parseUntrusted(delivery, (answer as { data?: unknown } | null)?.data);
      if (outcome.success) return outcome.data;
      // Rejected by an instance of another version, or with another key because the cache was wiped.
      key.forget();
      throw new CalloutError('BUS_UNAVAILABLE', '消息未被接受', { cause: answer });
    },
  };
}
