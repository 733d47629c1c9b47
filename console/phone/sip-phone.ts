import type { UA } from 'jssip';
import type { RTCSession } from 'jssip/lib/RTCSession';
import type { IncomingRequest } from 'jssip/lib/SIPMessage';
import { formatPhone } from '../text/phone-number.ts';
import { readKeptCall } from './kept-call.ts';
import { microphoneInTheWay, onMicrophonePermission, troubleOfMicrophone } from './microphone.ts';
import { closeNotification, notifyOfCall } from './notify.ts';
import { onPhoneSettings, phoneSettings } from './kept-settings.ts';
import { changePhone, NO_PHONE, type PhoneEvent, type PhoneState } from './phone-state.ts';
import type { OwnPhone, PhoneCommand } from './shared-phone.ts';
import type { SipAccount } from './sip-account.ts';
import { type CallTools, SipCall } from './sip-call.ts';
import { SipLine } from './sip-line.ts';
import { isSoundBlocked, onGesture, playNotes, startRing, stopRing, unblockSound } from './sounds.ts';

/** How long a call that has ended stays in the bar, in ms. */
const SHOWN_MS = 4_000;
/** Pause between the tone and the answer of a phone that answers by itself, in ms. */
const ANSWER_PAUSE_MS = 800;
const BUSY_HERE = 486;
/** Longest wait for the answer to a renewal; the switch ends a leg after 5 s without media (D12.7). In ms. */
const RENEWAL_MS = 2_000;
/** Interval at which a call in progress is kept for the page after a reload, and at which a dropped one is requested, in ms. */
const KEEP_MS = 500;

export interface PhonePlace {
  fetchAccount: () => Promise<SipAccount>;
  report: (state: PhoneState) => void;
  /** Key of the call that is kept for the page after a reload. */
  keptName: string;
  contact: string;
  /** Title of the notification about a call. */
  ringing: () => string;
}

/** Starts the phone in the tab that has it. */
export function startSipPhone(place: PhonePlace): OwnPhone {
  return new SipPhone(place);
}

class SipPhone implements OwnPhone {
  readonly #place: PhonePlace;
  readonly #line: SipLine;
  readonly #closing: (() => void)[];
  #state: PhoneState = NO_PHONE;
  #call: SipCall | null = null;
  #tools: CallTools | null = null;
  /** Whether the call is to be renewed, and why. */
  #refreshDue: 'connection' | 'path' | null = null;
  /** Start of the renewal that is under way, in ms of the browser's clock. */
  #askedAt: number | null = null;

  constructor(place: PhonePlace) {
    this.#place = place;
    this.#line = new SipLine({
      fetchAccount: place.fetchAccount,
      contact: place.contact,
      report: event => this.#report(event),
      isBusy: () => this.#call !== null,
      connected: (ua, account) => this.#connected(ua, account),
      called: (session, invite) => this.#ring(session, invite),
    });
    this.#closing = this.#listen();
    void this.#line.connect();
  }

  #listen(): (() => void)[] {
    const closing = new AbortController();
    const keeping = setInterval(() => this.#keep(), KEEP_MS);
    void onMicrophonePermission(() => void this.#checkMicrophone(), closing.signal);
    void this.#checkMicrophone();
    return [
      () => closing.abort(),
      () => clearInterval(keeping),
      onPhoneSettings(() => void this.#call?.useDevices()),
      onGesture(() => void this.#unblock()),
    ];
  }

  run(command: PhoneCommand): void {
    const call = this.#call;
    if (command.name === 'answer') void this.#answer();
    else if (command.name === 'hangUp') call?.hangUp();
    else if (command.name === 'mute') call?.mute(command.isMuted);
    else if (command.name === 'hold') call?.hold(command.isHeld);
    else if (command.name === 'keys') call?.keys(command.tones);
    else if (command.name === 'dial') void this.#begin(tools => SipCall.dial(tools, command));
    else this.#line.tryNow();
  }

  /** A reload ends nothing here: the call stays kept. */
  close(): void {
    stopRing();
    closeNotification();
    for (const stop of this.#closing) stop();
    this.#line.close();
  }

  #connected(ua: UA, { iceServers }: SipAccount): void {
    this.#tools = { ua, iceServers, report: event => this.#report(event), ended: call => this.#ended(call) };
    const kept = readKeptCall(localStorage.getItem(this.#place.keptName), Date.now());
    if (this.#call) this.#refreshDue ??= 'connection';
    else if (kept) void this.#begin(tools => SipCall.takeBack(tools, kept));
  }

  #ring(session: RTCSession, invite: IncomingRequest): void {
    if (!this.#tools) return;
    if (this.#call) return session.terminate({ status_code: BUSY_HERE });
    const call = SipCall.incoming(session, invite, this.#tools);
    this.#take(call);
    if (phoneSettings().answersItself) return this.#answerSoon(call);
    startRing();
    const { number = '', name = '' } = this.#state.call ?? {};
    notifyOfCall({ title: this.#place.ringing(), text: name && name !== number ? `${name} ${formatPhone(number)}` : formatPhone(number) });
  }

  #answerSoon(call: SipCall): void {
    playNotes('answered');
    setTimeout(() => void call.answer(), ANSWER_PAUSE_MS);
  }

  async #answer(): Promise<void> {
    this.#quiet();
    await this.#call?.answer();
  }

  /** Begins a call of ours; the phone has one at a time. */
  async #begin(make: (tools: CallTools) => Promise<SipCall>): Promise<void> {
    if (!this.#tools || this.#call) return;
    try {
      this.#take(await make(this.#tools));
    } catch (error) {
      this.#report({ type: 'troubled', trouble: troubleOfMicrophone(error) });
    }
  }

  #take(call: SipCall): void {
    this.#call = call;
    call.session.on('confirmed', () => this.#talk(call));
  }

  #talk(call: SipCall): void {
    this.#quiet();
    call.watch({
      rated: quality => this.#report({ type: 'changed', change: { quality } }),
      silent: () => (this.#refreshDue = 'path'),
    });
    this.#keep();
  }

  /** Keeps the call for the page after a reload, and repeats what the switch was not ready for. */
  #keep(): void {
    const kept = this.#call?.kept(Date.now());
    if (kept) localStorage.setItem(this.#place.keptName, JSON.stringify(kept));
    this.#report({ type: 'silenced', isSilenced: isSoundBlocked() || (this.#call?.isBlocked ?? false) });
    this.#renew();
  }

  /** Repeats a renewal until the switch answers: over another connection when this one stays silent. */
  #renew(): void {
    if (this.#askedAt !== null && Date.now() - this.#askedAt > RENEWAL_MS) {
      this.#askedAt = null;
      this.#refreshDue = 'path';
      return this.#line.reconnect();
    }
    if (!this.#refreshDue || !this.#tools?.ua.isConnected() || !this.#call?.refresh(this.#refreshDue === 'path')) return;
    this.#refreshDue = null;
    this.#askedAt = Date.now();
  }

  #ended(call: SipCall): void {
    if (this.#call !== call) return;
    this.#quiet();
    if (call.session.start_time) playNotes('ended');
    this.#call = null;
    this.#refreshDue = null;
    this.#askedAt = null;
    localStorage.removeItem(this.#place.keptName);
    setTimeout(() => this.#report({ type: 'cleared' }), SHOWN_MS);
  }

  #quiet(): void {
    stopRing();
    closeNotification();
  }

  async #unblock(): Promise<void> {
    if (!this.#state.isSilenced) return;
    await unblockSound();
    this.#call?.play();
  }

  async #checkMicrophone(): Promise<void> {
    const trouble = await microphoneInTheWay();
    this.#report(trouble ? { type: 'troubled', trouble } : { type: 'mended', part: 'microphone' });
  }

  #report(event: PhoneEvent): void {
    if (event.type === 'changed' && event.change.isRestored === false) this.#askedAt = null;
    const state = changePhone(this.#state, event);
    if (state === this.#state) return;
    this.#state = state;
    this.#place.report(state);
  }
}
