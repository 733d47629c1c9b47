import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { type Message, MessageType, validateMessage } from 'graphql-ws';
import { unreachable } from '#kernel/assert.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Caller } from '#kernel/caller.ts';
import { CLOSE, type SocketLink, subscriberExists } from './socket-link.ts';
import type { Language } from '#kernel/problem.ts';
import { hashOf } from './known-documents.ts';
import { type Join, SubscriberStream } from './subscribe.ts';
import { membersOf } from '#kernel/typed.ts';

/** Time in which a client must initialise the connection, in ms; otherwise it is closed (4408). */
const INIT_TIMEOUT_MS = 5_000;
/** Most concurrent operations of one socket. */
export const MAX_OPERATIONS = 32;

/** Result of starting an operation: a stream to join, a single answer, or errors before any answer. */
export type StartedOperation = { join: Join } | { answer: FormattedExecutionResult } | { errors: readonly GraphQLFormattedError[] };

/** The caller of an initialised connection, and the language of its messages. */
export interface Admitted {
  caller: Caller;
  language: Language;
}

export type OperationPayload = Message<MessageType.Subscribe>['payload'];

/** Services that the protocol depends on. */
export interface ProtocolHost {
  /** Null when the client is refused; its link is closed then. */
  admit(link: SocketLink, params: Readonly<Record<string, unknown>> | undefined): Promise<Admitted | null>;
  startOperation(payload: OperationPayload, admitted: Admitted): Promise<StartedOperation>;
  /** Refusal of an operation beyond `MAX_OPERATIONS`. */
  refuseExcess(language: Language): StartedOperation;
  clock: Clock;
}

/**
 * The server's side of graphql-transport-ws on one socket.
 *
 * Why:    an ongoing operation keeps only its stream in memory, neither its message nor its document
 * Errors: `handleMessage` rejects with what the host throws
 * Source: graphql-ws PROTOCOL.md, whose message shapes `validateMessage` checks
 */
export class ProtocolSession {
  readonly #link: SocketLink;
  readonly #host: ProtocolHost;
  readonly #streams = new Map<string, SubscriberStream>();
  #stage: 'opened' | 'initialised' | 'closed' = 'opened';
  #admitted: Admitted | null = null;
  #cancelInitTimeout: (() => void) | null;

  constructor(link: SocketLink, host: ProtocolHost) {
    this.#link = link;
    this.#host = host;
    this.#cancelInitTimeout = host.clock.schedule(INIT_TIMEOUT_MS, () => link.close(CLOSE.initTimeout));
  }

  async handleMessage(text: string): Promise<void> {
    const message = messageOf(text);
    switch (message?.type) {
      case MessageType.ConnectionInit:
        return this.#initialise(message.payload);
      case MessageType.Subscribe:
        return this.#subscribe(message.id, message.payload);
      case MessageType.Complete:
        return this.#complete(message.id);
      case MessageType.Ping:
        if (!this.#admitted) return this.#link.close(CLOSE.badRequest);
        return this.#send({ type: MessageType.Pong, ...(message.payload && { payload: message.payload }) });
      case MessageType.Pong:
        return;
      // Not a message, or one that only servers send.
      case undefined:
      case MessageType.ConnectionAck:
      case MessageType.Next:
      case MessageType.Error:
        return this.#link.close(CLOSE.badRequest);
      default:
        return unreachable(message);
    }
  }

  /** The socket has closed. */
  end(): void {
    this.#stage = 'closed';
    this.#clearInitTimeout();
    for (const stream of this.#streams.values()) stream.leave();
    this.#streams.clear();
  }

  async #initialise(params: Record<string, unknown> | undefined): Promise<void> {
    if (this.#stage !== 'opened') return this.#link.close(CLOSE.initialisedTwice);
    this.#stage = 'initialised';
    this.#clearInitTimeout();
    this.#admitted = await this.#host.admit(this.#link, params);
    if (!this.#admitted) return;
    this.#link.acknowledge();
    this.#send({ type: MessageType.ConnectionAck });
  }

  /** Clears the init timer, which would otherwise live as long as the socket. */
  #clearInitTimeout(): void {
    this.#cancelInitTimeout?.();
    this.#cancelInitTimeout = null;
  }

  async #subscribe(id: string, payload: OperationPayload): Promise<void> {
    const admitted = this.#admitted;
    if (!admitted) return this.#link.close(CLOSE.unauthorized);
    if (this.#streams.has(id)) return this.#link.close(subscriberExists(id));
    const stream = new SubscriberStream(id, this.#link, this.#onStreamEnd);
    this.#streams.set(id, stream);
    const started =
      this.#streams.size > MAX_OPERATIONS ? this.#host.refuseExcess(admitted.language) : await this.#host.startOperation(payload, admitted);
    // The client has completed the operation or disconnected in the meantime.
    if (this.#streams.get(id) !== stream) return;
    if ('join' in started) return stream.begin(started.join);
    if ('errors' in started) {
      this.#streams.delete(id);
      return this.#send({ id, type: MessageType.Error, payload: started.errors });
    }
    this.#send({ id, type: MessageType.Next, payload: started.answer });
    this.#onStreamEnd(stream);
  }

  readonly #onStreamEnd = (stream: SubscriberStream): void => {
    if (this.#streams.get(stream.id) !== stream) return;
    this.#streams.delete(stream.id);
    this.#send({ id: stream.id, type: MessageType.Complete });
  };

  #complete(id: string): void {
    this.#streams.get(id)?.leave();
    this.#streams.delete(id);
  }

  #send(message: Message): void {
    this.#link.send(JSON.stringify(message));
  }
}

/** The protocol requires a text, which clients of persisted documents omit: adds an empty one. */
function withText(message: unknown): unknown {
  const { type, payload, ...rest } = membersOf(message);
  const given = membersOf(payload);
  const isByHash = type === MessageType.Subscribe && given['query'] === undefined && hashOf(given) !== null;
  return isByHash ? { ...rest, type, payload: { ...given, query: '' } } : message;
}

/** Null when the text is not a valid message. */
function messageOf(text: string): Message | null {
  try {
    return validateMessage(withText(JSON.parse(text)));
  } catch {
    return null;
  }
}
