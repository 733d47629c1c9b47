import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { Backlog } from '../feeds/backlog.ts';
import { type Close, CLOSE } from './close-codes.ts';
import { textFrame } from './text-frame.ts';

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
    { connection, ip, acceptLanguage }: { connection: Duplex; ip: string | null; acceptLanguage: string | undefined },
    { clock, log }: { clock: Clock; log: Log },
  ) {
    this.ip = ip;
    this.acceptLanguage = acceptLanguage;
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
