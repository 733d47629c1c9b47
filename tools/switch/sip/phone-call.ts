import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Peer } from '../media/peer.ts';
import { ALLOWED, type Dialog, digitOf, fingerprintOf, isHoldOffer, OWN_CONTACT, requestIn, SESSION_HEADERS } from './dialog.ts';
import { branchOf, headerOf, respondTo, sequenceOf, type SipRequest, type SipResponse, tagOf, uriOf } from './message.ts';

/** How a call ended: `refused` with the phone's status, `hungUp` by the phone, `lost` without a word, `released` by the switch. */
export type CallEnd = { kind: 'refused'; status: number } | { kind: 'hungUp' } | { kind: 'lost' } | { kind: 'released' };

export interface PhoneCallEvents {
  onRinging(): void;
  onAnswered(call: PhoneCall): void;
  onHold(isHeld: boolean): void;
  onDigit(digit: string): void;
  onEnd(call: PhoneCall, end: CallEnd): void;
  /** No call could be made, because there is no room or no media. */
  onFailed(): void;
}

export interface PhoneCallOptions {
  clock: Clock;
  dialog: Dialog;
  peer: Peer;
  openPeer(): Promise<Peer>;
  /** Sends to wherever the phone is registered now; what cannot be sent waits. */
  send(message: SipRequest | SipResponse): void;
  events: PhoneCallEvents;
  /** Called once, after the last message. */
  onClosed(): void;
}

/** Time for a phone to confirm an answer, or to answer the end of a call, in ms: 64 times T1 of RFC 3261. */
const TRANSACTION_MS = 32_000;

/** One call between the switch and a phone, in either direction. */
export class PhoneCall {
  readonly dialog: Dialog;
  #peer: Peer;
  /** Certificate of the page whose offer or answer the media follows. */
  #fingerprint = '';
  readonly #options: PhoneCallOptions;
  #state: 'new' | 'calling' | 'confirmed' | 'ended' = 'new';
  /** Our INVITE while it has no final response. */
  #invite: { branch: string; sequence: number } | null = null;
  #isCancelled = false;
  #hasRung = false;
  #cancelTimer: Cancel = () => undefined;

  constructor(options: PhoneCallOptions) {
    this.#options = options;
    this.dialog = options.dialog;
    this.#peer = options.peer;
  }

  /** A page that takes its call back after a reload has another. */
  get peer(): Peer {
    return this.#peer;
  }

  get isConfirmed(): boolean {
    return this.#state === 'confirmed';
  }

  /** Rings the phone. Errors: any, when there is no media */
  async ring(): Promise<void> {
    this.#state = 'calling';
    const body = await this.peer.offer();
    if (this.#isCancelled) return this.#end({ kind: 'released' });
    const request = requestIn(this.dialog, 'INVITE', { headers: SESSION_HEADERS, body });
    this.#invite = { branch: branchOf(request), sequence: this.dialog.sequence };
    this.#options.send(request);
  }

  /** Answers the phone's INVITE. */
  async accept(invite: SipRequest): Promise<void> {
    this.#state = 'calling';
    this.#fingerprint = fingerprintOf(invite.body);
    const body = await this.peer.answer(invite.body).catch(() => null); // an offer that is none
    if (this.#state !== 'calling') return this.#options.send(respondTo(invite, 487, { tag: this.dialog.localTag }));
    if (body === null) {
      this.#options.send(respondTo(invite, 488, { tag: this.dialog.localTag }));
      return this.#end({ kind: 'lost' });
    }
    this.#state = 'confirmed';
    this.#options.send(respondTo(invite, 200, { tag: this.dialog.localTag, headers: SESSION_HEADERS, body }));
    this.#cancelTimer = this.#options.clock.schedule(TRANSACTION_MS, () => this.release());
    this.#options.events.onAnswered(this);
  }

  /** Ends the call from our side, in whatever state it is. */
  release(): void {
    if (this.#state === 'ended' || this.#isCancelled) return;
    if (this.#state === 'confirmed') {
      this.#options.send(requestIn(this.dialog, 'BYE'));
      return this.#end({ kind: 'released' });
    }
    this.#isCancelled = true;
    if (this.#invite === null) return;
    this.#options.send(requestIn(this.dialog, 'CANCEL', { of: this.#invite }));
    this.#cancelTimer = this.#options.clock.schedule(TRANSACTION_MS, () => this.#end({ kind: 'released' }));
  }

  /** The phone has sent no media, or has not come back, for too long. */
  lose(): void {
    if (this.#state === 'confirmed') this.#options.send(requestIn(this.dialog, 'BYE'));
    this.#end({ kind: 'lost' });
  }

  /** A response to our INVITE; responses to other requests change nothing. */
  responded(response: SipResponse): void {
    const { status } = response;
    const invite = this.#invite;
    if (sequenceOf(response).method !== 'INVITE' || branchOf(response) !== invite?.branch) return;
    if (status < 200) return this.#progressed(status);
    this.#invite = null;
    this.#cancelTimer();
    this.dialog.remoteTag = tagOf(headerOf(response, 'to'));
    if (status < 300) return void this.#answered(response, invite.sequence);
    this.#options.send(requestIn(this.dialog, 'ACK', { of: invite }));
    this.#end(this.#isCancelled ? { kind: 'released' } : { kind: 'refused', status });
  }

  /** A request within the call, or the CANCEL of the phone's INVITE. */
  requested(request: SipRequest): void {
    if (request.method === 'ACK') return this.#cancelTimer();
    const respond = (status: number, headers: readonly (readonly [string, string])[] = []) =>
      this.#options.send(respondTo(request, status, { headers }));
    switch (request.method) {
      case 'BYE':
      case 'CANCEL':
        respond(200);
        return this.#end({ kind: 'hungUp' });
      case 'INVITE':
      case 'UPDATE':
        return request.body === '' ? respond(200, [['contact', OWN_CONTACT]]) : void this.#renegotiate(request);
      case 'INFO':
        this.#readInfo(request);
        return respond(200);
      case 'OPTIONS':
        return respond(200, [['allow', ALLOWED]]);
      default:
        return respond(405, [['allow', ALLOWED]]);
    }
  }

  #progressed(status: number): void {
    if (status < 180 || this.#hasRung) return;
    this.#hasRung = true;
    this.#options.events.onRinging();
  }

  async #answered(response: SipResponse, sequence: number): Promise<void> {
    this.dialog.target = uriOf(headerOf(response, 'contact')) ?? this.dialog.target;
    const ack = requestIn(this.dialog, 'ACK');
    // An ACK of a success is a transaction of its own under the number of its INVITE.
    this.dialog.sequence -= 1;
    this.#options.send({
      ...ack,
      headers: ack.headers.map(([name, value]) => [name, name === 'cseq' ? `${sequence} ACK` : value] as const),
    });
    this.#state = 'confirmed';
    if (this.#isCancelled) {
      this.#isCancelled = false;
      return this.release();
    }
    try {
      this.#fingerprint = fingerprintOf(response.body);
      await this.peer.acceptAnswer(response.body);
    } catch {
      return this.release(); // an answer that is none
    }
    this.#options.events.onAnswered(this);
  }

  async #renegotiate(request: SipRequest): Promise<void> {
    try {
      const body = await this.#answerAgain(request.body);
      this.dialog.target = uriOf(headerOf(request, 'contact')) ?? this.dialog.target;
      this.#options.send(respondTo(request, 200, { headers: SESSION_HEADERS, body }));
      this.#options.events.onHold(isHoldOffer(request.body));
    } catch {
      this.#options.send(respondTo(request, 488));
    }
  }

  /** Another certificate is another page: the one before was reloaded, and its media is gone. */
  async #answerAgain(offer: string): Promise<string> {
    const fingerprint = fingerprintOf(offer);
    if (fingerprint === this.#fingerprint) return this.peer.answer(offer);
    const peer = await this.#options.openPeer();
    const body = await peer.answer(offer);
    this.#peer.close();
    this.#peer = peer;
    this.#fingerprint = fingerprint;
    return body;
  }

  #readInfo(request: SipRequest): void {
    const digit = /^application\/dtmf/i.test(headerOf(request, 'content-type')) ? digitOf(request.body) : null;
    if (digit !== null) this.#options.events.onDigit(digit);
  }

  #end(end: CallEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#cancelTimer();
    this.peer.close();
    this.#options.events.onEnd(this, end);
    this.#options.onClosed();
  }
}
