import { connect, type Socket } from 'node:net';
import type { Cancel, Clock } from '#kernel/clock.ts';
import { decodeEvent, type EslEvent, type EslFrame, encodeCommand, FrameDecoder, header } from './esl-codec.ts';

export interface EslTarget {
  host: string;
  port: number;
  password: string;
}

export interface EslConnectionOptions {
  target: EslTarget;
  clock: Clock;
  /** Time-out of TCP connection, greeting and authentication together, ms. */
  connectTimeoutMs: number;
  /** The connection ends after this time without data, ms; null when no data is expected. */
  silenceLimitMs: number | null;
  /** Closes the connection, whether open or opening. */
  signal: AbortSignal;
  onEvent(event: EslEvent): void;
  /** Called once, after `openEsl` has resolved. */
  onClose(reason: string): void;
}

/** The reply to a command. */
export interface EslReply {
  /** `Reply-Text` of a command, or the whole body of an API reply; trimmed. */
  text: string;
  headers: ReadonlyMap<string, string>;
}

/** There is no reply: the connection is or was lost. */
export class EslUnavailableError extends Error {
  override readonly name = 'EslUnavailableError';
  /** Whether the command may have reached the switch. */
  readonly wasWritten: boolean;

  constructor(message: string, wasWritten: boolean) {
    super(message);
    this.wasWritten = wasWritten;
  }
}

/** Limit of commands in flight on a connection. */
const MAX_IN_FLIGHT = 256;
/** Limit of bytes that the switch has not read yet. */
const MAX_UNSENT_BYTES = 1_048_576;
/** Limit of the delay of events beyond the smallest delay seen; a slow reader would hold up the switch. */
const LAG_LIMIT_MS = 15_000;
const KEEP_ALIVE_MS = 5_000;

export const PASSWORD_REFUSED = 'the switch refuses the password';
export const ADDRESS_REFUSED = 'the switch refuses this address (ACL)';

interface Waiting {
  kind: 'command/reply' | 'api/response';
  resolve(reply: EslReply): void;
  reject(error: Error): void;
  cancelTimeout: Cancel;
}

/**
 * Opens and authenticates a connection.
 *
 * Errors: EslUnavailableError when the switch does not answer or rejects our address or the password
 * Source: test/fixtures/esl/README.md §1
 */
export function openEsl(options: EslConnectionOptions): Promise<EslConnection> {
  return new Promise((resolve, reject) => {
    const connection = new EslConnection(options, {
      opened: () => resolve(connection),
      failed: reason => reject(new EslUnavailableError(reason, false)),
    });
  });
}

interface Opening {
  opened(): void;
  failed(reason: string): void;
}

/**
 * An authenticated connection. Replies are matched in order, so a command without a reply ends the connection.
 *
 * Why: after a time-out, a late reply would be matched to the next command; and a doubtful socket may still transmit an originate, so it is
 *      reset instead of closed
 */
export class EslConnection {
  readonly #options: EslConnectionOptions;
  readonly #socket: Socket;
  readonly #decoder = new FrameDecoder();
  readonly #waiting: Waiting[] = [];
  readonly #abort = () => this.destroy('stopped');
  #opening: Opening | null;
  #isClosed = false;
  #cancelWatch: Cancel;
  #lastReadAt: number;
  /** Smallest difference seen between our clock and an event's timestamp, ms. */
  #quickest = Number.POSITIVE_INFINITY;

  constructor(options: EslConnectionOptions, opening: Opening) {
    this.#options = options;
    this.#opening = opening;
    this.#lastReadAt = options.clock.monotonic();
    options.signal.addEventListener('abort', this.#abort, { once: true });
    this.#socket = connect({ host: options.target.host, port: options.target.port, noDelay: true, keepAlive: true });
    this.#socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', error => this.destroy(`socket error: ${error.message}`));
    this.#socket.on('close', () => this.destroy('closed by the switch'));
    this.#cancelWatch = options.clock.schedule(options.connectTimeoutMs, () => this.destroy('no greeting or authentication in time'));
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#opening === null;
  }

  get inFlight(): number {
    return this.#waiting.length;
  }

  /**
   * Writes a command in the current tick and waits for its reply.
   *
   * Errors: EslUnavailableError when the connection is lost or no reply arrives within `timeoutMs`; EslUnsafeCommandError on a line break
   */
  command(line: string, timeoutMs: number, headers: Readonly<Record<string, string>> = {}): Promise<EslReply> {
    return this.#send('command/reply', line, timeoutMs, headers);
  }

  /** Runs `api <line>` and returns the reply's text. Errors: like `command`. */
  async api(line: string, timeoutMs: number): Promise<string> {
    const reply = await this.#send('api/response', `api ${line}`, timeoutMs, {});
    return reply.text;
  }

  #send(kind: Waiting['kind'], line: string, timeoutMs: number, headers: Readonly<Record<string, string>>): Promise<EslReply> {
    return new Promise((resolve, reject) => {
      const bytes = encodeCommand(line, headers);
      if (this.#isClosed) throw new EslUnavailableError('not connected', false);
      if (this.#waiting.length >= MAX_IN_FLIGHT) throw new EslUnavailableError('too many commands without an answer', false);
      const cancelTimeout = this.#options.clock.schedule(timeoutMs, () => this.destroy(`no reply within ${timeoutMs} ms`));
      this.#waiting.push({ kind, resolve, reject, cancelTimeout });
      this.#socket.write(bytes);
      if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.destroy('the switch does not read');
    });
  }

  /** Ends the connection at once with a TCP reset: buffered commands must not be executed later. */
  destroy(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#cancelWatch();
    if (this.#socket.connecting) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
    for (const waiting of this.#waiting.splice(0)) {
      waiting.cancelTimeout();
      waiting.reject(new EslUnavailableError(reason, true));
    }
    const opening = this.#opening;
    this.#opening = null;
    if (opening) opening.failed(reason);
    else this.#options.onClose(reason);
  }

  #read(chunk: Buffer): void {
    this.#lastReadAt = this.#options.clock.monotonic();
    for (const frame of this.#decode(chunk)) {
      if (this.#isClosed) return;
      this.#take(frame);
    }
  }

  #decode(chunk: Buffer): EslFrame[] {
    try {
      return this.#decoder.push(chunk);
    } catch (error) {
      this.destroy(`protocol error: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  }

  #take(frame: EslFrame): void {
    switch (frame.contentType) {
      case 'auth/request':
        return this.#authenticate();
      case 'command/reply':
      case 'api/response':
        return this.#answer(frame);
      case 'text/event-plain':
      case 'text/event-json':
        return this.#event(frame);
      case 'text/rude-rejection':
        return this.destroy(ADDRESS_REFUSED);
      case 'text/disconnect-notice':
        return this.destroy(`the switch says goodbye: ${frame.body.toString('utf8').split('\n')[0] ?? ''}`);
      default:
        return; // log/data and the like were not requested
    }
  }

  #authenticate(): void {
    this.command(`auth ${this.#options.target.password}`, this.#options.connectTimeoutMs).then(
      () => this.#opened(),
      (error: unknown) => this.destroy(error instanceof Error ? error.message : String(error)),
    );
  }

  #opened(): void {
    const opening = this.#opening;
    if (opening === null) return;
    this.#opening = null;
    this.#cancelWatch();
    this.#watchSilence();
    opening.opened();
  }

  #watchSilence(): void {
    const { clock, silenceLimitMs } = this.#options;
    if (silenceLimitMs === null) return;
    const left = this.#lastReadAt + silenceLimitMs - clock.monotonic();
    if (left <= 0) return this.destroy(`nothing heard for ${silenceLimitMs} ms`);
    this.#cancelWatch = clock.schedule(left, () => this.#watchSilence());
  }

  /** A reply of the wrong kind means that replies and commands no longer correspond: nothing after it can be trusted. */
  #answer(frame: EslFrame): void {
    const waiting = this.#waiting.shift();
    if (!waiting) return this.destroy('a reply that nobody asked for');
    waiting.cancelTimeout();
    if (waiting.kind !== frame.contentType) {
      waiting.reject(new EslUnavailableError('replies out of order', true));
      return this.destroy('replies out of order');
    }
    const text = frame.contentType === 'command/reply' ? (frame.headers.get('Reply-Text') ?? '') : frame.body.toString('utf8');
    if (this.#opening !== null && !text.startsWith('+OK')) {
      waiting.reject(new EslUnavailableError(PASSWORD_REFUSED, true));
      return this.destroy(PASSWORD_REFUSED);
    }
    return waiting.resolve({ text: text.trim(), headers: frame.headers });
  }

  #event(frame: EslFrame): void {
    const event = decodeEvent(frame);
    if (event === null) return;
    this.#options.onEvent(event);
    const stampedAt = Number(header(event, 'Event-Date-Timestamp') ?? 0) / 1_000;
    if (stampedAt <= 0) return;
    const difference = this.#options.clock.now() - stampedAt;
    this.#quickest = Math.min(this.#quickest, difference);
    if (difference - this.#quickest > LAG_LIMIT_MS) this.destroy('events are read too late');
  }
}
