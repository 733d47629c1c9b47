import type { MediaStreamTrack, RTCPeerConnection, RtpPacket } from 'werift';
import { encodeMuLaw, decodeMuLaw } from './g711.ts';
import { type Frame, FRAME_SAMPLES } from './frame.ts';
import { JitterBuffer } from './jitter-buffer.ts';
import type { OpenPeer, Peer } from './peer.ts';

const PCMU = 0;
const TELEPHONE_EVENT = 101;
const DIGITS = '0123456789*#ABCD';
const LOOPBACK = '127.0.0.1';
const STREAM = 'callout';

/**
 * Opens peers of werift: ICE with host candidates of this machine, loopback among them, and DTLS-SRTP.
 *
 * Why:    loaded with the first call, because only a switch with browsers' phones needs it
 */
export const openWeriftPeer: OpenPeer = async onDigit => new WeriftPeer(await import('werift'), onDigit);

type Werift = typeof import('werift');

class WeriftPeer implements Peer {
  readonly #werift: Werift;
  readonly #connection: RTCPeerConnection;
  readonly #voice: MediaStreamTrack;
  readonly #heard = new JitterBuffer();
  readonly #digits: DigitReader;
  #received = 0;
  #sent = 0;

  constructor(werift: Werift, onDigit: (digit: string) => void) {
    const { MediaStreamTrack: Track, RTCPeerConnection: Connection } = werift;
    this.#werift = werift;
    this.#digits = new DigitReader(onDigit);
    this.#connection = new Connection({
      codecs: { audio: codecs(werift) },
      iceServers: [],
      iceUseIpv6: false,
      iceUseTcp: false,
      iceAdditionalHostAddresses: [LOOPBACK],
      bundlePolicy: 'max-bundle',
    });
    this.#voice = new Track({ kind: 'audio', streamId: STREAM });
    this.#connection.addTransceiver(this.#voice, { direction: 'sendrecv' });
    this.#connection.onTrack.subscribe(track => track.onReceiveRtp.subscribe(packet => this.#receive(packet)));
  }

  async offer(): Promise<string> {
    await this.#connection.setLocalDescription(await this.#connection.createOffer());
    return this.#description();
  }

  async acceptAnswer(sdp: string): Promise<void> {
    await this.#connection.setRemoteDescription({ type: 'answer', sdp });
  }

  async answer(offer: string): Promise<string> {
    await this.#connection.setRemoteDescription({ type: 'offer', sdp: offer });
    await this.#connection.setLocalDescription(await this.#connection.createAnswer());
    return this.#description();
  }

  take(): Frame | null {
    return this.#heard.take();
  }

  give(frame: Frame): void {
    const { RtpHeader, RtpPacket: Packet } = this.#werift;
    const [sequenceNumber, timestamp] = [this.#sent & 0xffff, (this.#sent * FRAME_SAMPLES) >>> 0];
    this.#sent += 1;
    const header = new RtpHeader({ version: 2, payloadType: PCMU, sequenceNumber, timestamp, marker: sequenceNumber === 0 });
    this.#voice.writeRtp(new Packet(header, encodeMuLaw(frame)));
  }

  received(): number {
    return this.#received;
  }

  close(): void {
    void this.#connection.close();
  }

  #description(): string {
    return this.#connection.localDescription?.sdp ?? '';
  }

  #receive({ header, payload }: RtpPacket): void {
    this.#received += 1;
    if (header.payloadType !== PCMU) return this.#digits.read(header.timestamp, payload);
    if (payload.length === FRAME_SAMPLES) this.#heard.push(header.sequenceNumber, decodeMuLaw(payload));
  }
}

function codecs({ RTCRtpCodecParameters: Codec }: Werift) {
  return [
    new Codec({ mimeType: 'audio/PCMU', clockRate: 8_000, channels: 1, payloadType: PCMU }),
    new Codec({ mimeType: 'audio/telephone-event', clockRate: 8_000, channels: 1, payloadType: TELEPHONE_EVENT, parameters: '0-15' }),
  ];
}

/** Digits of named telephone events; each is repeated in several packets with one timestamp. Source: RFC 4733 §2.3 */
class DigitReader {
  readonly #onDigit: (digit: string) => void;
  #lastTimestamp = -1;

  constructor(onDigit: (digit: string) => void) {
    this.#onDigit = onDigit;
  }

  read(timestamp: number, payload: Uint8Array): void {
    const digit = payload.length === 4 ? DIGITS[payload[0] ?? DIGITS.length] : undefined;
    if (digit === undefined || timestamp === this.#lastTimestamp) return;
    this.#lastTimestamp = timestamp;
    this.#onDigit(digit);
  }
}
