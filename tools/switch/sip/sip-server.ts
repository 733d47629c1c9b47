import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { OpenPeer } from '../media/peer.ts';
import { Authorization } from './authorization.ts';
import { addressOf, ALLOWED, answeringDialog, callingDialog, newTag } from './dialog.ts';
import type { FindA1Hash } from './directory.ts';
import {
  headerOf,
  MAX_MESSAGE_BYTES,
  partsOfUri,
  respondTo,
  type SipHeaders,
  type SipMessage,
  type SipRequest,
  tagOf,
  uriOf,
} from './message.ts';
import type { PhoneCall, PhoneCallEvents } from './phone-call.ts';
import { PhoneCalls } from './phone-calls.ts';
import { PhoneSocket } from './phone-socket.ts';
import { type Binding, Registrar } from './registrar.ts';

export interface SipServerOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  clock: Clock;
  ids: IdSource;
  log: Log;
  /** The only domain, whatever a phone was configured with. */
  realm: string;
  findA1Hash: FindA1Hash;
  openPeer: OpenPeer;
  /** Whether the switch takes registrations and calls now. */
  isOpen(): boolean;
  onRegistered(binding: Binding): void;
  onUnregistered(binding: Binding): void;
  /** Decides about a call by a phone; null refuses it. */
  onCall(call: IncomingCall): PhoneCallEvents | null;
}

/** A call that a phone places. */
export interface IncomingCall {
  extension: string;
  number: string;
  headers: SipHeaders;
}

/** A call to one phone. */
export interface OutgoingCall {
  binding: Binding;
  callerName: string;
  callerNumber: string;
}

const MAX_SOCKETS = 500;
/** Retry-After for a phone while the switch or the product cannot serve it, in s. */
const RETRY_SECONDS = 5;
const SUBPROTOCOL = 'sip';
/** Status of HTTP: this port speaks WebSocket only. */
const UPGRADE_REQUIRED = 426;

/**
 * Registrar and user agent of the switch for browsers' phones: SIP over WebSocket.
 *
 * Source: RFC 3261, RFC 7118, docker/freeswitch/sip_profiles/agents.xml
 */
export class SipServer {
  readonly registrar: Registrar;
  readonly #options: SipServerOptions;
  readonly #authorization: Authorization;
  readonly #sockets = new Set<PhoneSocket>();
  readonly #calls: PhoneCalls;
  readonly #server: Server = createServer((_request, response) => void response.writeHead(UPGRADE_REQUIRED).end());

  constructor(options: SipServerOptions) {
    const { clock } = options;
    this.#options = options;
    this.#authorization = new Authorization(options);
    this.#calls = new PhoneCalls(options);
    const onRegistered = (binding: Binding) => {
      this.#calls.phoneReturned(binding);
      options.onRegistered(binding);
    };
    this.registrar = new Registrar({ clock, onRegistered, onUnregistered: binding => options.onUnregistered(binding) });
  }

  /** Resolves to the port. Errors: any, when it cannot be opened */
  async open(): Promise<number> {
    const { host, port } = this.#options;
    const sockets = new WebSocketServer({
      server: this.#server,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      verifyClient: ({ req }: { req: IncomingMessage }) => this.#sockets.size < MAX_SOCKETS && offersSip(req),
      handleProtocols: () => SUBPROTOCOL,
    });
    sockets.on('connection', socket => this.#accept(socket));
    await new Promise<void>((resolve, reject) => this.#server.once('error', reject).listen(port, host, resolve));
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  async close(): Promise<void> {
    this.#calls.releaseAll();
    this.registrar.clear();
    for (const socket of this.#sockets) socket.terminate();
    await new Promise<void>(resolve => void this.#server.close(() => resolve()));
  }

  /** Rings one phone. Errors: any, when there is no room or no media */
  async call({ binding, callerName, callerNumber }: OutgoingCall, events: PhoneCallEvents): Promise<PhoneCall> {
    if (this.#calls.isFull) throw new Error('the switch has as many calls of phones as it can carry');
    const { realm, ids } = this.#options;
    const local = addressOf(callerName, callerNumber, realm);
    const dialog = callingDialog({ callId: ids(), local, remote: addressOf('', binding.extension, realm), ...binding });
    return this.#calls.begin(dialog, binding.socket, events);
  }

  #accept(socket: WebSocket): void {
    const phone = new PhoneSocket(socket, {
      clock: this.#options.clock,
      onMessage: (from, message) => this.#take(from, message),
      onClose: closed => {
        this.#sockets.delete(closed);
        this.registrar.socketClosed(closed);
        this.#calls.socketClosed(closed);
      },
    });
    this.#sockets.add(phone);
  }

  #take(socket: PhoneSocket, message: SipMessage): void {
    if (message.kind === 'response') return this.#calls.ofResponse(message)?.responded(message);
    const call = this.#calls.ofRequest(message, socket);
    if (call) return call.requested(message);
    if (message.method === 'ACK') return;
    const isWithinCall = tagOf(headerOf(message, 'to')) !== null || message.method === 'CANCEL';
    if (isWithinCall) return socket.send(respondTo(message, 481));
    void this.#begin(socket, message).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'a request of a phone could not be served');
      putOff(socket, message);
    });
  }

  /** Serves a request outside of any call. */
  async #begin(socket: PhoneSocket, request: SipRequest): Promise<void> {
    const { method } = request;
    const allow = { tag: newTag(), headers: [['allow', ALLOWED]] as const };
    if (method === 'OPTIONS') return socket.send(respondTo(request, 200, allow));
    if (method !== 'REGISTER' && method !== 'INVITE') return socket.send(respondTo(request, 405, allow));
    if (!this.#options.isOpen()) return putOff(socket, request);
    const extension = partsOfUri(uriOf(headerOf(request, method === 'REGISTER' ? 'to' : 'from')) ?? '').user;
    const refusal = await this.#authorization.refusalOf(request, extension);
    if (refusal !== null) return socket.send(refusal);
    if (method === 'INVITE') return this.#answer(socket, extension, request);
    if (socket.isOpen) socket.send(this.registrar.register(socket, extension, request));
  }

  async #answer(socket: PhoneSocket, extension: string, request: SipRequest): Promise<void> {
    const dialog = answeringDialog(request, extension);
    if (dialog === null) return socket.send(respondTo(request, 400, { tag: newTag() }));
    if (this.#calls.isFull) return putOff(socket, request);
    socket.send(respondTo(request, 100));
    const events = this.#options.onCall({ extension, number: partsOfUri(request.uri).user, headers: request.headers });
    if (events === null) return socket.send(respondTo(request, 403, { tag: dialog.localTag }));
    try {
      await (await this.#calls.begin(dialog, socket, events)).accept(request);
    } catch (error) {
      events.onFailed();
      throw error;
    }
  }
}

function putOff(socket: PhoneSocket, request: SipRequest): void {
  socket.send(respondTo(request, 503, { tag: newTag(), headers: [['retry-after', String(RETRY_SECONDS)]] }));
}

function offersSip({ headers }: IncomingMessage): boolean {
  return (headers['sec-websocket-protocol'] ?? '').split(',').some(name => name.trim() === SUBPROTOCOL);
}
