import { jetstream } from '@nats-io/jetstream';
import { randomUUID } from 'node:crypto';
import { AuthorizationError, connect, errors, headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { runtimeAddress } from '#protocol/address.ts';
import { proofHeaders, proofKeyOf } from '#protocol/proof.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';

/** The runtime's connection to the bus, JSON in both directions. */
export interface NatsLink {
  isConnected(): boolean;
  /** Calls the listener each time the connection is back. */
  onReconnect(listener: () => void): void;
  /** Synchronises with the server's clock, by which messages are signed from now on. UTC ms */
  goBy(serverTime: number): void;
  /** Publishes without retry; dropped while disconnected. */
  publish(subject: string, body: unknown): void;
  /**
   * Sends a request and waits for one response.
   *
   * Errors: the client's, when there is no responder, no response in time, or no connection
   */
  request(subject: string, body: unknown, timeoutMs: number): Promise<unknown>;
  /** With `queue`, each message goes to one member of the group. The returned function unsubscribes. */
  subscribe(subject: string, options: { queue?: string }, listener: (message: LinkMessage) => void): () => void;
  /**
   * Publishes a message to the JetStream stream of its subject; the stream drops a repeated `messageId`.
   *
   * Errors: the client's, when the stream did not acknowledge in time
   */
  store(subject: string, messageId: string, body: unknown): Promise<void>;
  /** Resolves when the NATS server has processed everything sent before, subscriptions included. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface LinkMessage {
  subject: string;
  /** Undefined when it is not valid JSON. */
  body: unknown;
  respond(body: unknown): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_WAIT_MS = 500;
const RECONNECT_JITTER_MS = 250;
const PING_INTERVAL_MS = 5_000;
const MAX_PINGS_OUT = 2;
const STORE_TIMEOUT_MS = 3_000;

export interface LinkOptions {
  url: string;
  name: string;
  /** Token that signs messages, so that the server recognises its own program; absent or empty: no signature. */
  internalToken?: string;
  clock?: Pick<Clock, 'now'>;
}

/**
 * Connects once; afterwards it reconnects automatically, without a limit.
 *
 * Errors: the client's, when the first connection fails
 */
export async function connectLink({ url, name, internalToken = '', clock = systemClock }: LinkOptions, log: Log): Promise<NatsLink> {
  const address = runtimeAddress(url);
  const connection = await connect({
    ...address,
    name,
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAX_PINGS_OUT,
    ignoreAuthErrorAbort: true,
  });
  const state: LinkState = { connected: true, onBack: [], inboxPrefix: address.inboxPrefix ?? '_INBOX', isDeaf: false };
  void watch(connection, state, log).catch((error: unknown) => log.error({ err: error }, 'the state of the bus is no longer known'));
  const stream = jetstream(connection);
  const key = internalToken === '' ? null : proofKeyOf(internalToken);
  let aheadMs = 0;
  const signed = (subject: string, text: string, id: string = randomUUID()) =>
    key === null ? {} : { headers: toHeaders(proofHeaders(key, { subject, id, sentAt: String(clock.now() + aheadMs) }, text)) };
  return {
    isConnected: () => state.connected,
    onReconnect: listener => void state.onBack.push(listener),
    goBy(serverTime) {
      aheadMs = serverTime - clock.now();
    },
    publish(subject, body) {
      const text = JSON.stringify(body);
      if (state.connected) connection.publish(subject, text, signed(subject, text));
    },
    async request(subject, body, timeoutMs) {
      requireConnected(state.connected);
      const text = JSON.stringify(body);
      const answer = await connection.request(subject, text, { timeout: timeoutMs, ...signed(subject, text) });
      return parse(answer.string());
    },
    subscribe(subject, options, listener) {
      const callback = (error: Error | null, message: Msg) => {
        if (error) log.warn({ err: error, subject }, 'a subscription failed');
        else listener(toMessage(message));
      };
      const subscription = connection.subscribe(subject, { ...options, callback });
      return () => subscription.unsubscribe();
    },
    async store(subject, messageId, body) {
      requireConnected(state.connected);
      const text = JSON.stringify(body);
      await stream.publish(subject, text, {
        msgID: messageId,
        timeout: STORE_TIMEOUT_MS,
        retries: 1,
        ...signed(subject, text, messageId),
      });
    },
    flush: () => connection.flush(),
    close: () => connection.close(),
  };
}

/** Whether retrying is pointless, as with wrong credentials. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AuthorizationError;
}

/** Whether the request has no responder, or this user lacks the permission for its subject: a server of this kind does not offer it. */
export function isUnheard(error: unknown): boolean {
  if (error instanceof errors.RequestError) return error.isNoResponders();
  if (error instanceof errors.PermissionViolationError) return error.operation === 'publish';
  return error instanceof errors.NoRespondersError;
}

interface LinkState {
  connected: boolean;
  onBack: (() => void)[];
  inboxPrefix: string;
  /** Whether the NATS user lacks the permission for response inboxes; logged once. */
  isDeaf: boolean;
}

async function watch(connection: NatsConnection, state: LinkState, log: Log): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'staleConnection') {
      if (state.connected) log.warn({}, 'the bus is unavailable; reports are queued until it returns');
      state.connected = false;
    }
    if (status.type === 'error') noteDeafness(status.error, state, log);
    if (status.type === 'reconnect') {
      state.connected = true;
      log.info({}, 'the bus is back');
      for (const listener of state.onBack) listener();
    }
  }
  state.connected = false;
}

/** Logs a missing permission for response inboxes: without it every request times out, and retries fail alike. */
function noteDeafness(error: Error, state: LinkState, log: Log): void {
  if (!(error instanceof errors.PermissionViolationError) || !error.subject.startsWith(`${state.inboxPrefix}.`) || state.isDeaf) return;
  state.isDeaf = true;
  log.error({ err: error }, `the NATS user may not hear answers: let it subscribe to ${state.inboxPrefix}.>, as docker/nats.conf does`);
}

/** Fails while disconnected: the client would buffer messages without a bound. */
function requireConnected(connected: boolean): void {
  if (!connected) throw new Error('the bus is away');
}

function toHeaders(sent: Readonly<Record<string, string>>): MsgHdrs {
  const made = headers();
  for (const [name, value] of Object.entries(sent)) made.set(name, value);
  return made;
}

function toMessage(message: Msg): LinkMessage {
  return {
    subject: message.subject,
    body: parse(message.string()),
    respond: body => void message.respond(JSON.stringify(body)),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The receiver reports what it expected instead.
    return undefined;
  }
}
