import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  type JsMsg,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { RUNTIME_CONSUMER, RUNTIME_STREAM, RUNTIME_SUBJECTS } from '#contract/nats/subjects.ts';
import type { Log } from '#kernel/log.ts';
import type { DurableReport } from '#ports/bus.ts';
import { parseJson } from './json.ts';

const NANOS_PER_MS = 1_000_000;
/** The stream drops a repeated `Nats-Msg-Id` for this long; later ones are caught by PostgreSQL. ms */
const DUPLICATE_WINDOW_MS = 120_000;
/** Reports that a killed instance had taken come again after this; longer than a statement of the database may take, ms. */
const ACK_WAIT_MS = 15_000;
/** Reports under way at once over all instances. */
const MAX_ACK_PENDING = 2_000;
/** Reports that one instance holds at once. */
const MAX_MESSAGES = 200;
const MAX_STREAM_BYTES = 2 * 1024 ** 3;
const MAX_REPORT_BYTES = 1024 ** 2;
const CREATE_PAUSE_MS = 500;

/**
 * Creates the inbox and its shared consumer, or leaves them as they are. Only what nats-server 2.9 knows (A4).
 *
 * Errors: the client's, when the server has no JetStream or does not answer
 */
export async function ensureInbox(connection: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(connection);
  await manager.streams.add({
    name: RUNTIME_STREAM,
    subjects: [RUNTIME_SUBJECTS],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_bytes: MAX_STREAM_BYTES,
    max_msg_size: MAX_REPORT_BYTES,
    duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS,
  });
  await manager.consumers.add(RUNTIME_STREAM, {
    durable_name: RUNTIME_CONSUMER,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
    max_ack_pending: MAX_ACK_PENDING,
    max_deliver: -1,
  });
}

/** Takes reports until stopped; a consumer that ends (server restart) is taken up again. */
export async function consumeReports(
  connection: NatsConnection,
  log: Log,
  listener: (report: DurableReport) => void,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let current = await start();

  async function start() {
    const consumer = await jetstream(connection).consumers.get(RUNTIME_STREAM, RUNTIME_CONSUMER);
    return consumer.consume({ max_messages: MAX_MESSAGES, callback: message => listener(toReport(message, log)) });
  }

  async function keepUp(): Promise<void> {
    while (!stopping.signal.aborted) {
      const ended = await current.closed();
      if (stopping.signal.aborted) return;
      log.warn({ err: ended instanceof Error ? ended : undefined }, 'the consumer of runtime reports ended; taken up again');
      await pause();
      await restart();
    }
  }

  async function restart(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await ensureInbox(connection);
        current = await start();
        return;
      } catch (error) {
        log.debug({ err: error }, 'the inbox of runtime reports does not answer yet');
        await pause();
      }
    }
  }

  void keepUp().catch((error: unknown) => log.error({ err: error }, 'runtime reports are no longer consumed'));
  return async () => {
    stopping.abort();
    await current.close();
  };
}

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, CREATE_PAUSE_MS));
}

function toReport(message: JsMsg, log: Log): DurableReport {
  // On a closed connection the server is told nothing, and delivers the report again by itself.
  const tell = (settle: () => void) => {
    try {
      settle();
    } catch (error) {
      log.debug({ err: error, subject: message.subject }, 'a report could not be settled: it comes again');
    }
  };
  return {
    subject: message.subject,
    body: parseJson(message.string()),
    deliveries: message.info.deliveryCount,
    ack: () => tell(() => message.ack()),
    retry: delayMs => tell(() => message.nak(delayMs)),
    // Without the reason: nats-server 2.9 takes no TERM that carries one, and would deliver the report for ever.
    discard: () => tell(() => message.term()),
  };
}
