import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamManager,
  type JsMsg,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Clock, sleep } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { RUNTIME_CONSUMER, RUNTIME_STREAM, RUNTIME_SUBJECTS } from '#protocol/subjects.ts';
import type { DurableReport } from './bus.ts';
import { fromNats } from './headers.ts';

/** Null for an empty message, undefined for invalid JSON, which the edge reports to the sender. */
export function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NANOS_PER_MS = 1_000_000;
/** The stream drops a repeated `Nats-Msg-Id` within this time; PostgreSQL detects later ones. ms */
const DUPLICATE_WINDOW_MS = 120_000;
/** Upper limit for the redelivery of reports held by a crashed instance, ms. */
const MAX_ACK_WAIT_MS = 15_000;
/** Share of the time for which a result is awaited (D7.8): enough remains to redeliver and apply it. */
const ACK_WAIT_SHARE = 0.4;
/** Number of progress signals per ack wait while a report is being processed. */
const SIGNS_PER_ACK_WAIT = 3;
/** Without completion after this time a report is left to another instance, ms. */
const MAX_WORK_MS = 120_000;
/** Limit of unacknowledged reports across all instances. */
const MAX_ACK_PENDING = 2_000;
/** Limit of reports that one instance holds. */
const MAX_MESSAGES = 200;
/** Acknowledgements are collected this long and sent together; the shortest ack wait is twice as long. ms */
const ACK_LINGER_MS = 200;
/** Lower limit of the client library, ms. */
const MIN_PULL_MS = 1_000;
const MAX_STREAM_BYTES = 2 * 1024 ** 3;
const MAX_REPORT_BYTES = 1024 ** 2;
const CREATE_PAUSE_MS = 500;
/** A request lost in a server restart is repeated after this time, ms. */
const API_TIMEOUT_MS = 2_000;

interface Inbox {
  connection: NatsConnection;
  clock: Clock;
  log: Log;
  /** An unsettled report without progress signals is redelivered after this time. */
  ackWaitMs: number;
}

/** Always less than half of the result grace; longer work extends its time with progress signals. Units: ms */
export function ackWaitMs(resultGraceMs: number): number {
  return Math.min(MAX_ACK_WAIT_MS, Math.floor(resultGraceMs * ACK_WAIT_SHARE));
}

/**
 * Creates the stream and its shared consumer, or updates the consumer's ack wait. Uses only features of nats-server 2.9 (A4).
 *
 * Errors: those of the client, when the server has no JetStream or does not answer
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

/** Newer servers change a consumer only by `update`, older ones accept both calls. */
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

/** Consumes reports until stopped; when the consumer ends (server restart), consumption restarts. */
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
    // A pull request lost in a restart expires within the time that a report may wait for its acknowledgement.
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
      log.warn({ err: ended instanceof Error ? ended : undefined }, 'the consumer of runtime reports ended and is restarted');
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
  // On a closed connection the server receives nothing and redelivers the report itself.
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
    // No reason given: nats-server 2.9 rejects a TERM with a reason and would redeliver the report forever.
    discard: () => answer(() => message.term()),
  };
}

/** Sends progress signals for the report until it is settled. */
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
