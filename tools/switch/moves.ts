import type { Cancel, Clock } from '#kernel/clock.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import type { Channel, RunningApplication } from './channel.ts';
import type { Recorder } from './record.ts';
import type { Troubles } from './troubles.ts';

/** What moving a channel does to the switch. */
export interface MoveSide {
  readonly options: { clock: Clock; timing: Random; troubles: Troubles; recorder: Pick<Recorder, 'played'> };
  readonly bridges: { separate(channel: Channel): void };
  readonly conferences: { join(channel: Channel, place: string): void; leave(channel: Channel): void };
  later(channel: Channel, delayMs: number, task: () => void): Cancel;
  /** The channel begins an application. */
  execute(channel: Channel, application: RunningApplication): void;
  kill(channel: Channel, cause: string): void;
}

/** From the order until a channel has left what it did, both ends included, ms. */
const MOVE_MS = { min: 5, max: 20 };

/** Any file, any tone, ms. */
const PLAYBACK_MS = 1_500;
const INLINE_APPLICATIONS = new Set(['park', 'playback']);

const APPLICATION = /^&(\w+)(?:\((.*)\))?$/;
const KNOWN_APPLICATIONS = new Set('park hangup echo playback sleep conference bridge socket answer info delay_echo'.split(' '));
const KNOWN_EXTENSION = /^(919[0-9]|5900|10[01][0-9]|300[0-9]|\*?9664)$/;

/**
 * Starts channels' applications and moves channels from one to another; each takes its time.
 *
 * Source: test/fixtures/esl/README.md §1a "room not yet there", §4 "uuid_transfer", recordings c-api-commands, d-conference-plain
 */
export class Moves {
  readonly #core: MoveSide;

  constructor(core: MoveSide) {
    this.#core = core;
  }

  /** How long something that the switch does in its own thread takes, ms. */
  get delayMs(): number {
    return randomInt(this.#core.options.timing, MOVE_MS.min, MOVE_MS.max);
  }

  /** `uuid_transfer`: the order is answered at once, the channel moves later; a second order takes the place of the first. */
  transfer(channel: Channel, destination: string): void {
    const place = /^conference:(.+)$/.exec(destination)?.[1];
    this.#move(channel, place === undefined ? this.delayMs : this.#roomDelayMs(this.delayMs), () => {
      this.#core.bridges.separate(channel);
      if (place !== undefined) return this.#enterRoom(channel, place);
      this.#core.conferences.leave(channel);
      this.#runInline(channel, inlineApplications(destination));
    });
  }

  /** One application after the other; a file or a tone takes its time, everything else stays. */
  #runInline(channel: Channel, [first, ...rest]: readonly RunningApplication[]): void {
    if (first?.name === 'hangup') return this.#core.kill(channel, first.data || 'NORMAL_CLEARING');
    if (first === undefined || !INLINE_APPLICATIONS.has(first.name)) return this.#core.kill(channel, 'NO_ROUTE_DESTINATION');
    this.#core.execute(channel, first);
    if (first.name !== 'playback') return;
    this.#core.options.recorder.played(channel.uuid, first.data);
    this.#core.later(channel, PLAYBACK_MS, () => this.#runInline(channel, rest));
  }

  /** What the originate asked for, once answered; not if the channel has been moved meanwhile. */
  start(channel: Channel): void {
    if (channel.running !== null || channel.cancelMove !== null) return;
    const [, name, data = ''] = APPLICATION.exec(channel.application) ?? [];
    if (name === undefined) return this.#startExtension(channel);
    if (!KNOWN_APPLICATIONS.has(name)) return this.#core.kill(channel, 'DESTINATION_OUT_OF_ORDER');
    if (name === 'hangup') return this.#core.kill(channel, 'NORMAL_CLEARING');
    if (name !== 'conference') return this.#core.execute(channel, { name, data });
    const delayMs = this.#roomDelayMs(0);
    if (delayMs === 0) this.#enterRoom(channel, data);
    else this.#move(channel, delayMs, () => this.#enterRoom(channel, data));
  }

  #startExtension(channel: Channel): void {
    if (!KNOWN_EXTENSION.test(channel.application)) return this.#core.kill(channel, 'NO_ROUTE_DESTINATION');
    this.#core.execute(channel, { name: 'park', data: '' });
  }

  #roomDelayMs(usual: number): number {
    return this.#core.options.troubles.takeSlowRoom() ?? usual;
  }

  #enterRoom(channel: Channel, place: string): void {
    this.#core.conferences.leave(channel);
    this.#core.execute(channel, { name: 'conference', data: place });
    this.#core.conferences.join(channel, place);
  }

  #move(channel: Channel, delayMs: number, arrive: () => void): void {
    channel.cancelMove?.();
    channel.cancelMove = this.#core.later(channel, delayMs, () => {
      channel.cancelMove = null;
      arrive();
    });
  }
}

/** `app:data,app:data` of the inline dialplan; `m:^:` in front names another separator. */
function inlineApplications(destination: string): RunningApplication[] {
  const named = /^m:(.):/.exec(destination)?.[1];
  const list = named === undefined ? destination.split(',') : destination.slice('m:^:'.length).split(named);
  return list.map(entry => {
    const colon = entry.indexOf(':');
    return colon === -1 ? { name: entry, data: '' } : { name: entry.slice(0, colon), data: entry.slice(colon + 1) };
  });
}
