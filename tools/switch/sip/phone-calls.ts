import type { Cancel, Clock } from '#kernel/clock.ts';
import type { OpenPeer } from '../media/peer.ts';
import type { Dialog } from './dialog.ts';
import { headerOf, type SipMessage, type SipRequest, type SipResponse, tagOf } from './message.ts';
import { PhoneCall, type PhoneCallEvents } from './phone-call.ts';
import type { PhoneSocket } from './phone-socket.ts';
import { type Binding, contactKey } from './registrar.ts';

/** Most calls at once; each has a media peer. */
const MAX_CALLS = 200;
/** A phone that has lost its socket keeps its call for so long, in ms; most messages that wait for it meanwhile. */
const RETURN_MS = 32_000;
const MAX_WAITING = 20;

interface Kept {
  call: PhoneCall;
  socket: PhoneSocket;
  /** Messages for a phone without a socket. */
  waiting: SipMessage[];
  cancelLoss: Cancel;
}

/** The calls of browsers' phones, each at the socket where its phone is now. */
export class PhoneCalls {
  readonly #clock: Clock;
  readonly #openPeer: OpenPeer;
  /** By Call-ID and our tag. */
  readonly #kept = new Map<string, Kept>();

  constructor({ clock, openPeer }: { clock: Clock; openPeer: OpenPeer }) {
    this.#clock = clock;
    this.#openPeer = openPeer;
  }

  get isFull(): boolean {
    return this.#kept.size >= MAX_CALLS;
  }

  async begin(dialog: Dialog, socket: PhoneSocket, events: PhoneCallEvents): Promise<PhoneCall> {
    const openPeer = () => this.#openPeer(digit => events.onDigit(digit));
    const peer = await openPeer();
    const key = keyOf(dialog.callId, dialog.localTag);
    const onClosed = () => {
      kept.cancelLoss();
      this.#kept.delete(key);
    };
    const call = new PhoneCall({ clock: this.#clock, dialog, peer, openPeer, events, onClosed, send: message => send(kept, message) });
    const kept: Kept = { call, socket, waiting: [], cancelLoss: () => undefined };
    this.#kept.set(key, kept);
    return call;
  }

  /** The call that a response to one of our requests belongs to. */
  ofResponse(response: SipResponse): PhoneCall | undefined {
    return this.#kept.get(keyOf(headerOf(response, 'call-id'), tagOf(headerOf(response, 'from'))))?.call;
  }

  /**
   * The call that a phone's request belongs to; it goes on at the socket from which the request came. A CANCEL has the Call-ID of the INVITE,
   * but no tag of ours.
   */
  ofRequest(request: SipRequest, socket: PhoneSocket): PhoneCall | undefined {
    const callId = headerOf(request, 'call-id');
    const tag = tagOf(headerOf(request, 'to'));
    const kept = tag === null ? this.#cancelled(request, callId) : this.#kept.get(keyOf(callId, tag));
    if (kept) moveTo(kept, socket);
    return kept?.call;
  }

  #cancelled({ method }: SipRequest, callId: string): Kept | undefined {
    if (method !== 'CANCEL') return undefined;
    return this.#kept.values().find(({ call }) => call.dialog.callId === callId && !call.isConfirmed);
  }

  /** A phone that registers again after its socket has dropped goes on with its calls. */
  phoneReturned({ extension, contact, socket }: Binding): void {
    for (const kept of this.#kept.values()) {
      const { dialog } = kept.call;
      if (dialog.extension !== extension || contactKey(dialog.target) !== contactKey(contact)) continue;
      moveTo(kept, socket);
    }
  }

  socketClosed(socket: PhoneSocket): void {
    for (const kept of this.#kept.values()) {
      if (kept.socket === socket) kept.cancelLoss = this.#clock.schedule(RETURN_MS, () => kept.call.lose());
    }
  }

  releaseAll(): void {
    for (const { call } of this.#kept.values()) call.release();
  }
}

function moveTo(kept: Kept, socket: PhoneSocket): void {
  kept.cancelLoss();
  kept.socket = socket;
  for (const message of kept.waiting.splice(0)) socket.send(message);
}

function send({ socket, waiting }: Kept, message: SipMessage): void {
  if (socket.isOpen) socket.send(message);
  else if (waiting.length < MAX_WAITING) waiting.push(message);
}

function keyOf(callId: string, localTag: string | null): string {
  return `${localTag ?? ''} ${callId}`;
}
