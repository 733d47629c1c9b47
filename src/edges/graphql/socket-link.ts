import type { RawData, WebSocket } from 'ws';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { type Close, CLOSE } from './close-codes.ts';

/** A client that takes nothing for this long is closed (as D10). */
const STALL_MS = 30_000;
/** From the decision to close to the end of the socket: a session's sockets end within 1 s (D3.2). */
const LAST_WORDS_MS = 500;
const PING_MS = 15_000;
/** What may wait in the process for one socket, bytes: pongs and the like, beyond the one message of each subscription. */
const MAX_BACKLOG_BYTES = 8 * 1024 * 1024;

/** One WebSocket with its pings, its patience and its last words. */
export class SocketLink {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #endings: (() => void)[] = [];
  #isAlive = true;
  #isOver = false;

  constructor(socket: WebSocket, { clock, log }: { clock: Clock; log: Log }) {
    this.#socket = socket;
    this.#clock = clock;
    socket.on('error', error => log.debug({ err: error }, 'a GraphQL socket failed'));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.once('close', () => this.#finish());
    this.#pingLater();
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  /** Resolves when the system has taken the message: who sends one by one goes at the client's speed. */
  send(text: string): Promise<void> {
    return new Promise(resolve => {
      if (this.#socket.readyState !== this.#socket.OPEN) return resolve();
      if (this.#socket.bufferedAmount > MAX_BACKLOG_BYTES) {
        this.#socket.terminate();
        return resolve();
      }
      const cancel = this.#clock.schedule(STALL_MS, () => this.close(CLOSE.stalled));
      // A failed write is followed by 'close'.
      this.#socket.send(text, () => {
        cancel();
        resolve();
      });
    });
  }

  onMessage(listener: (text: string) => Promise<void>): void {
    this.#socket.on('message', data => {
      listener(textOf(data)).catch((error: unknown) => this.close(isUnexpected(error) ? CLOSE.badRequest : CLOSE.internal));
    });
  }

  /** Runs once at the end, whoever ended it; at once when it is over. */
  onEnd(ending: () => void): void {
    if (this.#isOver) ending();
    else this.#endings.push(ending);
  }

  close({ code, reason }: { code: number; reason: string } | Close): void {
    if (this.#isOver || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.close(code, reason);
    // What a slow client has not taken by then is not waited for.
    this.onEnd(this.#clock.schedule(LAST_WORDS_MS, () => this.#socket.terminate()));
  }

  #pingLater(): void {
    const cancel = this.#clock.schedule(PING_MS, () => {
      if (!this.#isAlive) return this.#socket.terminate();
      this.#isAlive = false;
      if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
      this.#cancelPing = () => undefined;
      this.#pingLater();
    });
    this.#cancelPing = cancel;
  }

  #cancelPing: () => void = () => undefined;

  #finish(): void {
    this.#isOver = true;
    this.#cancelPing();
    for (const ending of this.#endings) ending();
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}

/** A message that only servers send, as graphql-ws tells it. */
function isUnexpected(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Unexpected message');
}
