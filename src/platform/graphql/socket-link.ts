import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { Backlog } from '../feeds/fan-out.ts';

/**
 * Codes and reasons with which a socket is closed, in addition to those of graphql-transport-ws (4400 to 4500).
 *
 * Source: D3.2, D3.5; graphql-ws PROTOCOL.md; schema/root.graphql documents them for clients
 */
export const CLOSE = {
  /** The server is stopping or draining; another instance takes the client. */
  goingAway: { code: 1001, reason: 'Going away' },
  /** The session store did not answer. */
  tryAgainLater: { code: 1013, reason: 'Try again later' },
  /** The session or the user has too many sockets. */
  tooManySockets: { code: 1013, reason: 'Too many connections' },
  badRequest: { code: 4400, reason: 'Invalid message' },
  unauthorized: { code: 4401, reason: 'Unauthorized' },
  otherProtocol: { code: 4406, reason: 'Subprotocol not acceptable' },
  initTimeout: { code: 4408, reason: 'Connection initialisation timeout' },
  initialisedTwice: { code: 4429, reason: 'Too many initialisation requests' },
  /** The session was logged out, changed or disabled, or has expired. */
  sessionEnded: { code: 4440, reason: 'Session ended' },
  /** The client read nothing for 30 s. */
  stalled: { code: 4441, reason: 'Stalled' },
  internal: { code: 4500, reason: 'Internal server error' },
} as const;

interface Close {
  code: number;
  reason: string;
}

/** A control frame holds 125 bytes, two of them the code (RFC 6455 5.5). */
const MAX_REASON_BYTES = 123;

/** The operation id is already in use; an id that is too long for a close frame is left out. */
export function subscriberExists(id: string): Close {
  const reason = `Subscriber for ${id} already exists`;
  return { code: 4409, reason: Buffer.byteLength(reason) > MAX_REASON_BYTES ? 'Subscriber already exists' : reason };
}

/** First byte of a text message in one frame (RFC 6455 5.2). */
const WHOLE_TEXT = 0x81;
const MAX_SHORT = 125;
const MAX_MEDIUM = 0xff_ff;

/**
 * A complete WebSocket text message of a server, with its parts concatenated.
 *
 * Why: subscribers of one operation receive the same bytes after their own id, and each message is one write
 */
export function textFrame(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const headLength = length <= MAX_SHORT ? 2 : length <= MAX_MEDIUM ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = WHOLE_TEXT;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = MAX_SHORT + 1;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = MAX_SHORT + 2;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  let at = headLength;
  for (const part of parts) at += part.copy(frame, at);
  return frame;
}

/** A client that reads nothing for this long is disconnected, in ms (as D10). */
const STALL_MS = 30_000;
/** Time from the decision to close until the socket is destroyed, in ms: a session's sockets end within 1 s (D3.2). */
const CLOSE_TIMEOUT_MS = 500;
const PING_MS = 15_000;
/** Most bytes queued in the process for one socket: answers and pongs, beyond what subscriptions queue. */
const MAX_BACKLOG_BYTES = 32 * 1024 * 1024;

/** One WebSocket with its pings, its stall timeout and its closing. `connection` is the stream below it. */
export class SocketLink {
  /** Address of the client; null when it disconnected before the address was read. */
  readonly ip: string | null;
  /** Header of the request that opened the socket. */
  readonly acceptLanguage: string | undefined;
  /** Header of the same request. */
  readonly cookies: string | undefined;
  readonly #socket: WebSocket;
  readonly #connection: Duplex;
  readonly #clock: Clock;
  readonly #backlog = new Backlog();
  readonly #endings: (() => void)[] = [];
  #waiters: (() => void)[] = [];
  #isAlive = true;
  #isOver = false;
  #liftLimits: (() => void) | null = null;
  #cancelPing: () => void = () => undefined;
  #cancelStall: (() => void) | null = null;

  constructor(
    socket: WebSocket,
    { connection, ip, acceptLanguage, cookies }: Pick<SocketLink, 'ip' | 'acceptLanguage' | 'cookies'> & { connection: Duplex },
    { clock, log }: { clock: Clock; log: Log },
  ) {
    this.ip = ip;
    this.acceptLanguage = acceptLanguage;
    this.cookies = cookies;
    this.#socket = socket;
    this.#connection = connection;
    this.#clock = clock;
    socket.on('error', error => log.debug({ err: error }, 'a GraphQL socket failed'));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('close', () => this.#finish());
    connection.on('drain', () => this.#onDrain());
    this.#pingLater();
  }

  /** Limits a client until `acknowledge`: it may send `maxBytes` and no pings. `onAcknowledged` is called then, or at the end. */
  limitUntilAcknowledged(maxBytes: number, onAcknowledged: () => void): void {
    let received = 0;
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBytes) this.#socket.terminate();
    };
    const refusePing = () => this.close(CLOSE.badRequest);
    this.#connection.on('data', count);
    this.#socket.on('ping', refusePing);
    this.#liftLimits = () => {
      this.#connection.off('data', count);
      this.#socket.off('ping', refusePing);
      onAcknowledged();
    };
    this.onEnd(onAcknowledged);
  }

  /** Lifts the limits, because the client has authenticated. */
  acknowledge(): void {
    this.#liftLimits?.();
    this.#liftLimits = null;
  }

  /** Sends a message of the protocol that is not an event. */
  send(text: string): void {
    if (this.#connection.writableLength > MAX_BACKLOG_BYTES) this.#socket.terminate();
    else this.#write([Buffer.from(text)]);
  }

  /** Writes one message made of `parts`; false when the client is too slow and it was dropped. Owed messages are never dropped. */
  writeText(parts: readonly Buffer[], isOwed: boolean): boolean {
    if (!isOwed && this.#backlog.isFull(this.#connection.writableLength)) return false;
    this.#write(parts);
    if (isOwed) this.#backlog.owe(this.#connection.writableLength);
    return true;
  }

  /** Calls `waiter` once, as soon as nothing is queued any more. */
  onceDrained(waiter: () => void): void {
    this.#waiters.push(waiter);
  }

  onMessage(listener: (text: string) => void): void {
    this.#socket.on('message', (data, isBinary) => {
      // The protocol uses text messages only.
      if (isBinary) return this.close(CLOSE.badRequest);
      listener(textOf(data));
    });
  }

  /** Calls `ending` once when the socket ends, for whatever reason; at once if it has ended already. */
  onEnd(ending: () => void): void {
    if (this.#isOver) ending();
    else this.#endings.push(ending);
  }

  close({ code, reason }: Close): void {
    if (this.#isOver || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.close(code, reason);
    // Data that a slow client has not read by then is discarded.
    this.onEnd(this.#clock.schedule(CLOSE_TIMEOUT_MS, () => this.#socket.terminate()));
  }

  /**
   * Writes whole frames past the WebSocket library, which is safe because the library, without compression, also writes each frame at once.
   */
  #write(parts: readonly Buffer[]): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const isTaken = this.#connection.write(textFrame(parts));
    if (!isTaken) this.#cancelStall ??= this.#clock.schedule(STALL_MS, () => this.close(CLOSE.stalled));
  }

  #onDrain(): void {
    this.#cancelStall?.();
    this.#cancelStall = null;
    this.#backlog.drained();
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }

  #pingLater(): void {
    this.#cancelPing = this.#clock.schedule(PING_MS, () => {
      if (!this.#isAlive) return this.#socket.terminate();
      this.#isAlive = false;
      if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
      this.#pingLater();
    });
  }

  #finish(): void {
    this.#isOver = true;
    this.#cancelPing();
    this.#cancelStall?.();
    for (const ending of this.#endings) ending();
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}
