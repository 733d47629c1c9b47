import {
  AuthorizationError,
  connect,
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  NoRespondersError,
  TimeoutError,
} from '@nats-io/transport-node';
import { patiently } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import { natsAddress } from '#protocol/address.ts';
import type { Bus, BusHeaders, BusMessage } from './bus.ts';
import { fromNats } from './headers.ts';
import { ackWaitMs, consumeReports, ensureInbox, parseJson } from './inbox.ts';

/** Short enough to be imperceptible to a viewer, ms. */
const MAX_WAIT_MS = 20;

/**
 * Delays low-priority messages: `leave` sends them in order; call it before sending anything else.
 *
 * Why: messages sent together cost one write to the socket and one read at the server; even a lone call produces some ten messages, mostly
 *      status updates
 */
export function calmMessages(clock: Pick<Clock, 'schedule'>): { add(send: () => void): void; leave(): void } {
  const waiting: (() => void)[] = [];
  const leave = () => {
    for (const send of waiting.splice(0)) send();
  };
  return {
    leave,
    add(send) {
      waiting.push(send);
      if (waiting.length === 1) clock.schedule(MAX_WAIT_MS, leave);
    },
  };
}

/** Source: D1.3 section `bus` */
export interface NatsConfig {
  /** `nats://user:password@host:port`; several are separated by commas. */
  url: string;
  connectTimeoutMs: number;
  /** Time limit for an unreachable bus in each step of the start, ms. */
  startTimeoutMs: number;
  /** How long a result is awaited (D7.8); redelivery after a consumer's crash happens well within it. */
  resultGraceMs: number;
  /** Client name in the server's monitoring. */
  clientName: string;
}

/** Small enough for dispatch to resume within 5 s of the bus's return. */
const RECONNECT_WAIT_MS = 500;
const RECONNECT_JITTER_MS = 250;
/** Pause between attempts at start, ms. */
const START_PAUSE_MS = 250;
const PING_INTERVAL_MS = 5_000;
const MAX_PINGS_OUT = 2;
/** Default of nats-server. */
const DEFAULT_MAX_PAYLOAD_BYTES = 1024 ** 2;

export interface NatsBus extends Bus {
  close(): Promise<void>;
}

/**
 * Connects, reconnects indefinitely, and ensures that the runtime's inbox exists.
 *
 * Errors: BUS_UNAVAILABLE when the bus cannot be reached within `startTimeoutMs` or rejects the credentials
 * Source: A4
 */
export async function connectNats(config: NatsConfig, { clock, log }: { clock: Clock; log: Log }): Promise<NatsBus> {
  const patience = { pauseMs: START_PAUSE_MS, timeoutMs: config.startTimeoutMs, isFinal: isRefusal };
  const atStart = <T>(work: () => Promise<T>) =>
    patiently(clock, patience, work).catch((error: unknown) => {
      throw unavailable(error);
    });
  const connection = await atStart(() => open(config));
  const listeners = new Set<(connected: boolean) => void>();
  const state = { connected: true };
  void watch(connection, connected => {
    state.connected = connected;
    for (const listener of listeners) listener(connected);
  }).catch((error: unknown) => log.error({ err: error }, 'the bus status ended'));
  const calm = calmMessages(clock);
  const publish = (subject: string, payload: unknown) => {
    if (!state.connected || connection.isClosed()) return;
    const bytes = Buffer.from(JSON.stringify(payload));
    if (fits(connection, bytes.length)) connection.publish(subject, bytes);
    else log.error({ subject, bytes: bytes.length }, 'a message exceeds the size limit of the bus and was dropped');
  };
  const inbox = { connection, clock, log, ackWaitMs: ackWaitMs(config.resultGraceMs) };
  try {
    await atStart(() => ensureInbox(inbox));
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    publish(subject, payload) {
      calm.leave();
      publish(subject, payload);
    },
    publishCalmly: (subject, payload) => calm.add(() => publish(subject, payload)),
    request(subject, payload, timeoutMs, sent) {
      calm.leave();
      return ask(connection, { subject, payload, timeoutMs, headers: sent });
    },
    subscribe(subject, options, listener) {
      // An exception in a callback would close the connection for all subscribers.
      const hand = (message: BusMessage) => {
        try {
          listener(message);
        } catch (err) {
          log.error({ err, subject: message.subject }, 'a bus message could not be handled');
        }
      };
      const subscription = connection.subscribe(subject, {
        ...(options.queue === undefined ? {} : { queue: options.queue }),
        callback: (error, message) => {
          if (error) log.warn({ err: error, subject }, 'a subscription failed');
          else hand(new ReceivedMessage(connection, message));
        },
      });
      return () => subscription.unsubscribe();
    },
    consumeReports: listener => atStart(() => consumeReports(inbox, listener)),
    isConnected: () => state.connected,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      calm.leave();
      return connection.close();
    },
  };
}

function open(config: NatsConfig): Promise<NatsConnection> {
  return connect({
    ...natsAddress(config.url),
    name: config.clientName,
    timeout: config.connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAX_PINGS_OUT,
    ignoreAuthErrorAbort: true,
    // The client would record a stack trace for every request in case it fails; the error names the subject anyway.
    noAsyncTraces: true,
  });
}

/** Wrong credentials are final: waiting does not help. */
function isRefusal(error: unknown): boolean {
  return error instanceof AuthorizationError;
}

async function watch(connection: NatsConnection, notify: (connected: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'staleConnection') notify(false);
    if (status.type === 'reconnect') notify(true);
  }
  notify(false);
}

interface Question {
  subject: string;
  payload: unknown;
  timeoutMs: number;
  headers: BusHeaders | undefined;
}

async function ask(connection: NatsConnection, { subject, payload, timeoutMs, headers: sent }: Question): Promise<unknown> {
  const text = requireFitting(connection, JSON.stringify(payload));
  try {
    const answer = await connection.request(subject, text, { timeout: timeoutMs, ...(sent ? { headers: toNats(sent) } : {}) });
    return parseJson(answer.string());
  } catch (error) {
    if (error instanceof NoRespondersError || error instanceof TimeoutError) throw unavailable(error);
    throw error instanceof SyntaxError ? error : unavailable(error);
  }
}

/** Parses its body on access, so that a waiting message stays in its raw form. */
class ReceivedMessage implements BusMessage {
  readonly subject: string;
  declare readonly headers?: BusHeaders;
  declare readonly respond?: (body: unknown) => void;
  readonly #message: Msg;

  constructor(connection: NatsConnection, message: Msg) {
    this.subject = message.subject;
    this.#message = message;
    if (message.headers) this.headers = fromNats(message.headers);
    if (message.reply === undefined || message.reply === '') return;
    this.respond = body => {
      const text = requireFitting(connection, JSON.stringify(body));
      // After a close the requester has timed out anyway.
      if (!connection.isClosed()) message.respond(text);
    };
  }

  get body(): unknown {
    return parseJson(this.#message.string());
  }

  get bytes(): Uint8Array {
    return this.#message.data;
  }
}

function toNats(sent: BusHeaders): MsgHdrs {
  const made = headers();
  for (const [name, value] of Object.entries(sent)) made.set(name, value);
  return made;
}

/** The client throws on larger messages; the server announces its limit on connection. */
function fits(connection: NatsConnection, bytes: number): boolean {
  return bytes <= (connection.info?.max_payload ?? DEFAULT_MAX_PAYLOAD_BYTES);
}

function requireFitting(connection: NatsConnection, text: string): string {
  if (!fits(connection, Buffer.byteLength(text))) throw new CalloutError('PAYLOAD_TOO_LARGE', '内容超过消息总线的上限');
  return text;
}

function unavailable(cause: unknown): CalloutError {
  return new CalloutError('BUS_UNAVAILABLE', '消息总线或话术引擎暂不可用，请稍后重试', { cause });
}
