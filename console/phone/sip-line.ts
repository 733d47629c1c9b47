import { UA, WebSocketInterface } from 'jssip';
import type { RTCSession } from 'jssip/lib/RTCSession';
import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage';
import type { IncomingRTCSessionEvent, RTCSessionEvent } from 'jssip/lib/UA';
import { currentConnection, onConnectionChange } from '../api/connection.ts';
import type { PhoneEvent } from './phone-state.ts';
import { isComplete, type SipAccount } from './sip-account.ts';
import { certificateUrlOf, pauseMs, registrationTrouble, troubleOf, type Trouble } from './trouble.ts';

/** Time that the switch needs to open again after the first server is back (D12.8), in ms; as much again is random. */
const REOPEN_MS = 2_000;
/** Requested lifetime of a registration, in s. JsSIP renews it before, and so notices a connection on which nothing arrives any more. */
const REGISTRATION_SECONDS = 180;
/** Code with which browsers close a WebSocket that was lost. */
const LOST = 1006;
/** Limits of JsSIP's pause before it connects again, in s; within them it doubles, and is random. */
const RECONNECT = { connection_recovery_min_interval: 1, connection_recovery_max_interval: 10 };

export interface LineTools {
  fetchAccount: () => Promise<SipAccount>;
  /** Contact of this browser, the same after a reload. */
  contact: string;
  report: (event: PhoneEvent) => void;
  /** The switch can be reached, for the first time or again. */
  connected: (ua: UA, account: SipAccount) => void;
  /** Whether a call is in progress, which a new connection would end. */
  isBusy: () => boolean;
  /** A call comes in. */
  called: (session: RTCSession, invite: IncomingRequest) => void;
}

/** The phone's registration at the switch: connects, registers, and tries again by itself where that can help. */
export class SipLine {
  readonly #tools: LineTools;
  readonly #closing = new AbortController();
  #ua: UA | null = null;
  #sockets: readonly WebSocketInterface[] = [];
  #hasConnected = false;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #deferredUntilServer = false;

  constructor(tools: LineTools) {
    this.#tools = tools;
    const { signal } = this.#closing;
    signal.addEventListener(
      'abort',
      onConnectionChange(() => this.#serverIsBack()),
    );
    // Another network: the old connection is dead, but nothing says so for minutes.
    addEventListener('online', () => this.reconnect(), { signal });
  }

  /** Connects for the first time, or anew with the account of now. */
  async connect(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      const account = await this.#tools.fetchAccount();
      this.#tools.report({ type: 'configured', extension: account.extension });
      if (isComplete(account)) this.#register(account);
      else this.#tools.report({ type: 'troubled', trouble: troubleOf('unconfigured') });
    } catch {
      this.#failures += 1;
      this.#retryLater(troubleOf('failed', { retryAt: Date.now() + pauseMs(this.#failures, Math.random()) }));
    }
  }

  /** Tries at once; during a call only over the connection that there is. */
  tryNow(): void {
    clearTimeout(this.#retry);
    if (this.#ua?.isConnected()) this.#ua.register();
    else if (!this.#tools.isBusy()) void this.connect();
  }

  /** Replaces a connection that no longer answers: JsSIP then connects again as after any loss. */
  reconnect(): void {
    const dead = this.#sockets.find(socket => socket.isConnected());
    dead?.disconnect();
    dead?.ondisconnect(true, LOST, 'no answer');
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#closing.abort();
    this.#ua?.stop();
  }

  #register(account: SipAccount): void {
    const { report, connected, called } = this.#tools;
    this.#ua?.stop();
    const ua = new UA(this.#configurationOf(account));
    this.#ua = ua;
    ua.on('connected', () => {
      this.#hasConnected = true;
      connected(ua, account);
    });
    // Without a code this side has closed it.
    ua.on('disconnected', ({ code, socket }) => code !== undefined && this.#disconnected(socket.url));
    ua.on('registered', () => this.#registered());
    ua.on('unregistered', () => report({ type: 'unregistered' }));
    ua.on('registrationFailed', ({ response }) => this.#refused(response ?? null));
    ua.on('newRTCSession', (event: RTCSessionEvent) => {
      if (isIncoming(event)) called(event.session, event.request);
    });
    ua.start();
  }

  #configurationOf({ servers, uri, user, password, realm, displayName }: SipAccount) {
    const sockets = servers.map(server => new WebSocketInterface(server));
    this.#sockets = sockets;
    return {
      sockets,
      uri,
      authorization_user: user,
      password,
      realm,
      display_name: displayName,
      contact_uri: this.#tools.contact,
      session_timers: false,
      register_expires: REGISTRATION_SECONDS,
      ...RECONNECT,
    };
  }

  #registered(): void {
    this.#failures = 0;
    this.#tools.report({ type: 'registered' });
  }

  /** JsSIP connects again by itself. A server that was never reached may have a certificate that the browser does not know. */
  #disconnected(server: string): void {
    const trouble = troubleOf('unreachable', { certificateUrl: this.#hasConnected ? null : certificateUrlOf(server) });
    this.#tools.report({ type: 'troubled', trouble });
  }

  /** Without an answer the connection is dead. */
  #refused(answer: IncomingResponse | null): void {
    if (!answer) return this.reconnect();
    this.#failures += 1;
    const { status_code: status } = answer;
    const retryAfter = answer.getHeader('retry-after') ?? null;
    this.#retryLater(registrationTrouble({ status, retryAfter }, { now: Date.now(), pauseMs: pauseMs(this.#failures, Math.random()) }));
  }

  #retryLater(trouble: Trouble): void {
    this.#tools.report({ type: 'troubled', trouble });
    this.#deferredUntilServer = trouble.kind !== 'refused';
    if (trouble.retryAt !== null) this.#retry = setTimeout(() => this.tryNow(), trouble.retryAt - Date.now());
  }

  /** The console hears its server again long before the time that the switch has named. */
  #serverIsBack(): void {
    if (!this.#deferredUntilServer || !currentConnection().isLive) return;
    this.#deferredUntilServer = false;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.tryNow(), REOPEN_MS * (1 + Math.random()));
  }
}

function isIncoming(event: RTCSessionEvent): event is IncomingRTCSessionEvent {
  const originator: string = event.originator;
  return originator === 'remote';
}
