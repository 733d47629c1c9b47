import type { Cancel, Clock } from '#kernel/clock.ts';
import { ring, type RingSide } from './callee.ts';
import type { Channel, Ending } from './channel.ts';
import type { SwitchSound } from './media/switch-sound.ts';
import type { CallEnd, PhoneCall, PhoneCallEvents } from './sip/phone-call.ts';
import { refusalOfStatus } from './world.ts';

/** Operations of the switch that a phone's leg needs. */
export interface PhoneLegSide extends RingSide {
  answer(channel: Channel): void;
  hold(channel: Channel, isHeld: boolean): void;
  digit(channel: Channel, digit: string): void;
  hangUp(channel: Channel, ending: Ending): void;
}

export interface PhoneLegOptions {
  clock: Clock;
  core: PhoneLegSide;
  sound: Pick<SwitchSound, 'join' | 'leave' | 'hold'>;
}

/** A phone from which nothing has come at so many looks in a row has gone: 5 s, as `phone_media_timeout` in docker/freeswitch. */
const LOOK_MS = 500;
const MAX_SILENT_LOOKS = 10;

/** A channel whose far end is a browser's phone: the calls to all tabs of an extension, of which one is answered. */
export class PhoneLeg implements PhoneCallEvents {
  readonly channel: Channel;
  readonly #options: PhoneLegOptions;
  readonly #calls = new Set<PhoneCall>();
  #answered: PhoneCall | null = null;
  #cancelWatch: Cancel = () => undefined;

  constructor(channel: Channel, options: PhoneLegOptions) {
    this.channel = channel;
    this.#options = options;
  }

  get #isOver(): boolean {
    return this.channel.endedAt !== null;
  }

  /** Rings one phone of the extension, unless the channel has ended or another has answered. */
  async ring(call: PhoneCall): Promise<void> {
    this.#calls.add(call);
    if (this.#answered !== null || this.#isOver) return call.release();
    await call.ring();
  }

  onFailed(): void {
    if (this.#calls.size === 0) this.#options.core.hangUp(this.channel, endingOf({ kind: 'lost' }));
  }

  /** Ends every call, because the channel has ended. */
  release(): void {
    this.#cancelWatch();
    this.#options.sound.leave(this.channel.uuid);
    for (const call of this.#calls) call.release();
  }

  onRinging(): void {
    if (!this.#isOver && this.channel.progressAt === null) ring(this.#options.core, this.channel);
  }

  onAnswered(call: PhoneCall): void {
    this.#calls.add(call);
    if (this.#answered !== null || this.#isOver) return call.release();
    this.#answered = call;
    for (const other of this.#calls) if (other !== call) other.release();
    this.#options.sound.join(this.channel.uuid, { take: () => call.peer.take(), give: frame => call.peer.give(frame) });
    this.#watch(call, -1, 0);
    this.#options.core.answer(this.channel);
  }

  onHold(isHeld: boolean): void {
    if (this.#isOver || (this.channel.callState === 'HELD') === isHeld) return;
    this.#options.sound.hold(this.channel.uuid, isHeld);
    this.#options.core.hold(this.channel, isHeld);
  }

  onDigit(digit: string): void {
    if (!this.#isOver) this.#options.core.digit(this.channel, digit);
  }

  onEnd(call: PhoneCall, end: CallEnd): void {
    this.#calls.delete(call);
    const isLast = this.#answered === null ? this.#calls.size === 0 : this.#answered === call;
    if (isLast) this.#options.core.hangUp(this.channel, endingOf(end));
  }

  /** A closed tab says nothing: what shows it is that its media stops. On hold it may stop. */
  #watch(call: PhoneCall, received: number, silentLooks: number): void {
    this.#cancelWatch = this.#options.clock.schedule(LOOK_MS, () => {
      const now = call.peer.received();
      const isSilent = now === received && this.channel.callState !== 'HELD';
      if (isSilent && silentLooks >= MAX_SILENT_LOOKS) return call.lose();
      this.#watch(call, now, isSilent ? silentLooks + 1 : 0);
    });
  }
}

function endingOf(end: CallEnd): Ending {
  if (end.kind === 'lost') return { cause: 'MEDIA_TIMEOUT', disposition: 'send_bye' };
  if (end.kind !== 'refused') return { cause: 'NORMAL_CLEARING', disposition: 'recv_bye' };
  const refusal = refusalOfStatus(end.status);
  return { cause: refusal.cause, disposition: 'recv_refuse', refusal };
}
