import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type JsMsg,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { RUNTIME_CONSUMER, RUNTIME_STREAM, RUNTIME_SUBJECTS } from '#contract/nats/subjects.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { DurableReport } from '#ports/bus.ts';
import { fromNats } from './headers.ts';
import { parseJson } from './json.ts';

const NANOS_PER_MS = 1_000_000;
/** The stream drops a repeated `Nats-Msg-Id` for this long; later ones are caught by PostgreSQL. ms */
const DUPLICATE_WINDOW_MS = 120_000;
/** Reports that a killed instance had taken come again after this at the latest, ms. */
const MAX_ACK_WAIT_MS = 15_000;
/** Of the grace in which a result is awaited (D7.8): it comes again, and is applied, while there is still time. */
const ACK_WAIT_SHARE = 0.4;
/** A report that is worked on says so this often before its time is over. */
const SIGNS_PER_ACK_WAIT = 3;
/** A report that has been worked on for so long is left to another instance, ms. */
const MAX_WORK_MS = 120_000;
/** Reports under way at once over all instances. */
const MAX_ACK_PENDING = 2_000;
/** Reports that one instance holds at once. */
const MAX_MESSAGES = 200;
/** What is settled is acknowledged together: nobody waits for it, and the shortest time to acknowledge is twice as long. ms */
const ACK_LINGER_MS = 200;
/** The least that the client takes, ms. */
const MIN_PULL_MS = 1_000;
const MAX_STREAM_BYTES = 2 * 1024 ** 3;
const MAX_REPORT_BYTES = 1024 ** 2;
const CREATE_PAUSE_MS = 500;
/** A question that a restart has swallowed is asked again after this, ms. */
const API_TIMEOUT_MS = 2_000;

export interface Inbox {
  connection: NatsConnection;
  clock: Clock;
  log: Log;
  /** A report that is not settled, and of which nothing is heard, is delivered again after this. */
  ackWaitMs: number;
}

/** Below half of the grace, whatever it is: long work extends its time by signs of life. Units: ms */
export function ackWaitMs(resultGraceMs: number): number {
  return Math.min(MAX_ACK_WAIT_MS, Math.floor(resultGraceMs * ACK_WAIT_SHARE));
}

/**
 * Creates the inbox and its shared consumer; a consumer with another time to acknowledge gets this one. Only what nats-server 2.9 knows (A4).
 *
 * Errors: the client's, when the server has no JetStream or does not answer
 */
export async function ensureInbox({ connection, ackWaitMs: waitMs }: Inbox): Promise<void> {
  const manager = await jetstreamManager(connection, { timeout: API_TIMEOUT_MS });
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
  await ensureConsumer(manager, waitMs * NANOS_PER_MS);
}

/** A newer server takes a changed consumer by `update` alone, an older one by both. */
async function ensureConsumer({ consumers }: JetStreamManager, ackWait: number): Promise<void> {
  const known = await consumers.info(RUNTIME_STREAM, RUNTIME_CONSUMER).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound) return null;
    throw error;
  });
  if (known === null) {
    await consumers.add(RUNTIME_STREAM, {
      durable_name: RUNTIME_CONSUMER,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ackWait,
      max_ack_pending: MAX_ACK_PENDING,
      max_deliver: -1,
    });
  } else if (known.config.ack_wait !== ackWait) await consumers.update(RUNTIME_STREAM, RUNTIME_CONSUMER, { ack_wait: ackWait });
}

/** Takes reports until stopped; a consumer that ends (server restart) is taken up again. */
export async function consumeReports(inbox: Inbox, listener: (report: DurableReport) => void): Promise<() => Promise<void>> {
  const { connection, clock, log } = inbox;
  const stopping = new AbortController();
  const acks: (() => void)[] = [];
  let current = await start();

  function acknowledge(): void {
    for (const ack of acks.splice(0)) ack();
  }

  function acknowledgeSoon(ack: () => void): void {
    acks.push(ack);
    if (stopping.signal.aborted) acknowledge();
    else if (acks.length === 1) clock.schedule(ACK_LINGER_MS, acknowledge);
  }

  async function start() {
    const consumer = await jetstream(connection, { timeout: API_TIMEOUT_MS }).consumers.get(RUNTIME_STREAM, RUNTIME_CONSUMER);
    // A request for reports that a restart has swallowed is noticed within its own time: no longer than a report may wait for its settling.
    const expires = Math.max(MIN_PULL_MS, inbox.ackWaitMs);
    return consumer.consume({
      max_messages: MAX_MESSAGES,
      expires,
      callback: message => listener(toReport(message, inbox, acknowledgeSoon)),
    });
  }

  async function keepUp(): Promise<void> {
    while (!stopping.signal.aborted) {
      const ended = await current.closed();
      if (stopping.signal.aborted) return;
      log.warn({ err: ended instanceof Error ? ended : undefined }, 'the consumer of runtime reports ended; taken up again');
      await sleep(inbox.clock, CREATE_PAUSE_MS, stopping.signal);
      await restart();
    }
  }

  async function restart(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await ensureInbox(inbox);
        current = await start();
        return;
      } catch (error) {
        log.debug({ err: error }, 'the inbox of runtime reports does not answer yet');
        await sleep(inbox.clock, CREATE_PAUSE_MS, stopping.signal);
      }
    }
  }

  void keepUp().catch((error: unknown) => log.error({ err: error }, 'runtime reports are no longer consumed'));
  return async () => {
    stopping.abort();
    acknowledge();
    await current.close();
  };
}

function toReport(message: JsMsg, inbox: Inbox, acknowledge: (ack: () => void) => void): DurableReport {
  const { log } = inbox;
  const stopSigns = showSigns(message, inbox);
  // On a closed connection the server hears nothing, and delivers the report again by itself.
  const answer = (settle: () => void) => {
    stopSigns();
    try {
      settle();
    } catch (error) {
      log.debug({ err: error, subject: message.subject }, 'a report could not be settled: it comes again');
    }
  };
  return {
    subject: message.subject,
    ...(message.headers ? { headers: fromNats(message.headers) } : {}),
    bytes: message.data,
    storedAt: Math.floor(message.info.timestampNanos / NANOS_PER_MS),
    body: parseJson(message.string()),
    deliveries: message.info.deliveryCount,
    ack() {
      stopSigns();
      acknowledge(() => answer(() => message.ack()));
    },
    retry: delayMs => answer(() => message.nak(delayMs)),
    // Without the reason: nats-server 2.9 takes no TERM that carries one, and would deliver the report for ever.
    discard: () => answer(() => message.term()),
  };
}

/** Tells the server that the report is still worked on, until it is settled. */
function showSigns(message: JsMsg, { connection, clock, ackWaitMs: waitMs, log }: Inbox): () => void {
  const everyMs = waitMs / SIGNS_PER_ACK_WAIT;
  const endsAt = clock.monotonic() + MAX_WORK_MS;
  let cancel = clock.schedule(everyMs, show);
  function show(): void {
    if (connection.isClosed() || clock.monotonic() > endsAt) return;
    try {
      message.working();
    } catch (error) {
      log.debug({ err: error, subject: message.subject }, 'a report could not be extended: it may come again');
      return;
    }
    cancel = clock.schedule(everyMs, show);
  }
  return () => cancel();
}
