import type { WebSocket } from 'ws';
import type { Cancel, Clock } from '#kernel/clock.ts';
import { formatSip, MAX_MESSAGE_BYTES, parseSip, type SipMessage } from './message.ts';

export interface PhoneSocketEvents {
  clock: Clock;
  onMessage(socket: PhoneSocket, message: SipMessage): void;
  onClose(socket: PhoneSocket): void;
}

const KEEP_ALIVE = '\r\n\r\n';
const PONG = '\r\n';
/** Interval of pings; a phone that has missed one when the next is due is gone. In ms. */
const PING_MS = 10_000;
/** Most messages within a second, and most unsent bytes, before a socket is closed. */
const MAX_MESSAGES_PER_SECOND = 50;
const MAX_UNSENT_BYTES = 8 * MAX_MESSAGE_BYTES;
/** Close code of WebSocket: policy violation. */
const POLICY_VIOLATION = 1008;

/** The WebSocket of one phone: whole messages in both directions, keep-alives answered. Source: RFC 7118, RFC 5626 §3.5.1 */
export class PhoneSocket {
  readonly #socket: WebSocket;
  readonly #events: PhoneSocketEvents;
  #second = { at: 0, messages: 0 };
  #hasPonged = true;
  #cancelPing: Cancel = () => undefined;

  constructor(socket: WebSocket, events: PhoneSocketEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('message', (data, isBinary) => this.#read(isBinary || !Buffer.isBuffer(data) ? '' : data.toString('utf8')));
    socket.on('pong', () => (this.#hasPonged = true));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#closed());
    this.#schedulePing();
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  send(message: SipMessage): void {
    this.#write(formatSip(message));
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #read(text: string): void {
    if (this.#isFlooding()) return this.#socket.close(POLICY_VIOLATION);
    if (text === KEEP_ALIVE) return this.#write(PONG);
    const message = text === PONG ? null : parseSip(text);
    if (message !== null) this.#events.onMessage(this, message);
  }

  #isFlooding(): boolean {
    const at = Math.floor(this.#events.clock.monotonic() / 1_000);
    if (at !== this.#second.at) this.#second = { at, messages: 0 };
    this.#second.messages += 1;
    return this.#second.messages > MAX_MESSAGES_PER_SECOND;
  }

  #write(text: string): void {
    if (!this.isOpen) return;
    this.#socket.send(text);
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) this.terminate();
  }

  #schedulePing(): void {
    this.#cancelPing = this.#events.clock.schedule(PING_MS, () => {
      if (!this.#hasPonged) return this.terminate();
      this.#hasPonged = false;
      if (this.isOpen) this.#socket.ping();
      this.#schedulePing();
    });
  }

  #closed(): void {
    this.#cancelPing();
    this.#events.onClose(this);
  }
}
