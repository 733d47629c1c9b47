import { C, type UA } from 'jssip';
import type {
  EndEvent,
  IncomingAckEvent,
  IncomingEvent,
  OutgoingAckEvent,
  OutgoingEvent,
  PeerConnectionEvent,
  RTCSession,
} from 'jssip/lib/RTCSession';
import type { IncomingRequest } from 'jssip/lib/SIPMessage';
import { continueDialog, type Dialog, dialogOfIncoming, dialogOfOutgoing } from './dialog.ts';
import type { KeptCall } from './kept-call.ts';
import { LOOK_MS, type MediaReports, MediaWatch } from './media-watch.ts';
import { closeStream, openMicrophone, troubleOfMicrophone } from './microphone.ts';
import type { PhoneEvent } from './phone-state.ts';
import { phoneSettings } from './kept-settings.ts';
import type { StatsRow } from './quality.ts';
import { useSink } from './sounds.ts';
import { troubleOf } from './trouble.ts';

/** Time for more candidates after the first one: an ICE server that does not answer must not delay the call. In ms. */
const CANDIDATES_MS = 1_000;
const UNAVAILABLE = 480;

export interface CallTools {
  ua: UA;
  iceServers: RTCIceServer[];
  report: (event: PhoneEvent) => void;
  /** The call is over: its phone is free. */
  ended: (call: SipCall) => void;
}

/** One call of the phone, over JsSIP's session. */
export class SipCall {
  readonly session: RTCSession;
  readonly #tools: CallTools;
  readonly #speaker = new Audio();
  #isBlocked = false;
  #microphone: MediaStream | null = null;
  #invite: IncomingRequest | null = null;
  #dialog: Dialog | null = null;
  #kept: Omit<KeptCall, keyof Dialog | 'seenAt' | 'isMuted' | 'isHeld'>;

  constructor(session: RTCSession, tools: CallTools, about: { direction: 'incoming' | 'outgoing'; number: string; name: string }) {
    this.session = session;
    this.#tools = tools;
    this.#kept = { ...about, answeredAt: 0 };
    this.#listen();
  }

  /** A call from the switch. */
  static incoming(session: RTCSession, invite: IncomingRequest, tools: CallTools): SipCall {
    const { display_name: name, uri } = invite.from;
    const about = { direction: 'incoming', number: uri.user, name: name ?? '' } as const;
    const call = new SipCall(session, tools, about);
    call.#invite = invite;
    tools.report({ type: 'begun', call: { id: invite.getHeader('call-id'), ...about } });
    return call;
  }

  /** A call to a number of the switch. */
  static async dial(tools: CallTools, to: { target: string; headers: Readonly<Record<string, string>> }): Promise<SipCall> {
    const microphone = await openMicrophone();
    const extraHeaders = Object.entries(to.headers).map(([name, value]) => `${name}: ${value}`);
    const session = tools.ua.call(to.target, { extraHeaders, ...mediaOf(tools, microphone) });
    const about = { direction: 'outgoing', number: to.target, name: '' } as const;
    const call = new SipCall(session, tools, about);
    call.#microphone = microphone;
    tools.report({ type: 'begun', call: { id: session.id, ...about } });
    return call;
  }

  /** Continues the call of a page that was reloaded or closed: a re-INVITE within its dialog, with the media of this page. */
  static async takeBack(tools: CallTools, kept: KeptCall): Promise<SipCall> {
    const microphone = await openMicrophone();
    const session = tools.ua.call(kept.target, mediaOf(tools, microphone));
    session.on('sending', ({ request }) => continueDialog(request, kept, Date.now()));
    const call = new SipCall(session, tools, kept);
    call.#microphone = microphone;
    call.#kept.answeredAt = kept.answeredAt;
    const { callId: id, direction, number, name, answeredAt, isMuted, isHeld } = kept;
    tools.report({ type: 'takenBack', call: { id, direction, number, name, answeredAt, isMuted, isHeld } });
    session.on('confirmed', () => call.#resume(kept));
    session.on('failed', () => tools.report({ type: 'troubled', trouble: troubleOf('callLost') }));
    return call;
  }

  async answer(): Promise<void> {
    const microphone = await this.#openMicrophone();
    if (!microphone) return;
    // Answered meanwhile, for instance from another tab, or given up by the caller.
    if (!this.session.isInProgress()) return closeStream(microphone);
    this.#microphone = microphone;
    this.session.answer(mediaOf(this.#tools, microphone));
  }

  hangUp(): void {
    if (!this.session.isEnded()) this.session.terminate(this.session.isInProgress() ? { status_code: UNAVAILABLE } : {});
  }

  mute(isMuted: boolean): void {
    if (isMuted) this.session.mute({ audio: true });
    else this.session.unmute({ audio: true });
    this.#tools.report({ type: 'changed', change: { isMuted } });
  }

  hold(isHeld: boolean): void {
    const isAsked = isHeld ? this.session.hold() : this.session.unhold();
    if (isAsked) this.#tools.report({ type: 'changed', change: { isHeld } });
  }

  /** Sends digits within the media (RFC 4733); as INFO when the switch does not take them there. */
  keys(tones: string): void {
    const { RFC2833, INFO } = C.DTMF_TRANSPORT;
    const isInMedia = this.session.connection.getSenders().some(({ dtmf }) => dtmf?.canInsertDTMF);
    this.session.sendDTMF(tones, { transportType: isInMedia ? RFC2833 : INFO });
  }

  /**
   * Renews the call over the connection of now by a re-INVITE; `isPathLost` also asks for a new path of the media.
   *
   * Why:    a call that the switch has forgotten ends by its answer
   * Shape:  false when another change is under way: repeat it
   */
  refresh(isPathLost: boolean): boolean {
    const isAsked = this.session.renegotiate(isPathLost ? { rtcOfferConstraints: { iceRestart: true } } : {}, () => {
      this.#tools.report({ type: 'changed', change: { isRestored: false } });
    });
    if (isAsked) this.#tools.report({ type: 'changed', change: { isRestored: true } });
    return isAsked;
  }

  /** Takes the devices that are chosen now. */
  async useDevices(): Promise<void> {
    await useSink(this.#speaker, phoneSettings().speakerId);
    const sender = this.session.connection?.getSenders().find(({ track }) => track?.kind === 'audio');
    const microphone = sender && (await this.#openMicrophone());
    const [track] = microphone?.getAudioTracks() ?? [];
    if (!microphone || !track) return;
    track.enabled = sender.track?.enabled ?? true;
    await sender.replaceTrack(track);
    if (this.#microphone) closeStream(this.#microphone);
    this.#microphone = microphone;
  }

  /** Whether the browser keeps back the other party's voice until the user has clicked or typed. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  play(): void {
    this.#speaker.play().then(
      () => (this.#isBlocked = false),
      (error: unknown) => (this.#isBlocked = error instanceof DOMException && error.name === 'NotAllowedError'),
    );
  }

  /** Watches the media until the call is over. */
  watch(reports: MediaReports): void {
    const watch = new MediaWatch(reports);
    const timer = setInterval(() => {
      void this.session.connection?.getStats().then(
        report => watch.look([...report.values()] as StatsRow[]),
        () => undefined,
      );
    }, LOOK_MS);
    this.session.on('ended', () => clearInterval(timer));
  }

  /** The data with which another page takes the call back; null before the call is answered. */
  kept(now: number): KeptCall | null {
    if (!this.#dialog || this.session.isEnded()) return null;
    const { audio = false } = this.session.isMuted();
    return { ...this.#kept, ...this.#dialog, isMuted: audio, isHeld: this.session.isOnHold().local, seenAt: now };
  }

  #listen(): void {
    const { session } = this;
    if (session.connection) this.#hear({ peerconnection: session.connection });
    session.on('peerconnection', event => this.#hear(event));
    session.on('icecandidate', ({ ready }) => void setTimeout(ready, CANDIDATES_MS));
    session.on('accepted', (event: IncomingEvent | OutgoingEvent) => {
      if ('response' in event && event.response) this.#dialog = dialogOfOutgoing(event.response);
    });
    session.on('confirmed', (event: IncomingAckEvent | OutgoingAckEvent) => this.#confirmed('ack' in event ? event.ack : null));
    session.on('ended', event => this.#end(event));
    session.on('failed', event => this.#end(event));
  }

  #confirmed(ack: IncomingRequest | null): void {
    if (ack && this.#invite) this.#dialog = dialogOfIncoming(this.#invite, ack);
    this.#kept.answeredAt ||= Date.now();
    this.#tools.report({ type: 'answered', at: this.#kept.answeredAt });
    // JsSIP would end the call when the connection drops within a re-INVITE; the next connection repeats it.
    Object.assign(this.session, { onTransportError: () => undefined, onRequestTimeout: () => undefined });
  }

  #resume({ isMuted, isHeld }: KeptCall): void {
    this.#tools.report({ type: 'changed', change: { isRestored: false } });
    if (isMuted) this.session.mute({ audio: true });
    if (isHeld) this.session.hold();
  }

  #hear({ peerconnection }: PeerConnectionEvent): void {
    peerconnection.addEventListener('track', ({ streams: [stream], track }) => {
      this.#speaker.srcObject = stream ?? new MediaStream([track]);
      void useSink(this.#speaker, phoneSettings().speakerId);
      this.play();
    });
  }

  async #openMicrophone(): Promise<MediaStream | null> {
    try {
      return await openMicrophone();
    } catch (error) {
      this.#tools.report({ type: 'troubled', trouble: troubleOfMicrophone(error) });
      return null;
    }
  }

  #end({ cause, message }: EndEvent): void {
    if (this.#microphone) closeStream(this.#microphone);
    this.#speaker.srcObject = null;
    this.#tools.ended(this);
    const status = message && 'status_code' in message ? ` ${message.status_code}` : '';
    this.#tools.report({ type: 'ended', cause: cause + status });
  }
}

function mediaOf({ iceServers }: CallTools, mediaStream: MediaStream) {
  return { mediaStream, pcConfig: { iceServers } };
}
