import type { Cancel, Clock } from '#kernel/clock.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import type { Channel, RunningApplication } from './channel.ts';
import type { Recorder } from './record.ts';
import type { Troubles } from './troubles.ts';

/** Operations of the switch that moves need. */
export interface MoveSide {
  readonly options: { clock: Clock; timing: Random; troubles: Troubles; recorder: Pick<Recorder, 'played'> };
  readonly bridges: { separate(channel: Channel): void };
  readonly channels: ReadonlyMap<string, Channel>;
  readonly conferences: { join(channel: Channel, place: string): void; leave(channel: Channel): void };
  later(channel: Channel, delayMs: number, task: () => void): Cancel;
  /** Starts an application on the channel. */
  execute(channel: Channel, application: RunningApplication): void;
  kill(channel: Channel, cause: string): void;
}

/** Delay between the command and the move, both bounds inclusive, in ms. */
const MOVE_MS = { min: 5, max: 20 };

/** Duration of any file or tone, in ms. */
const PLAYBACK_MS = 1_500;
const INLINE_APPLICATIONS = new Set(['park', 'playback']);

const APPLICATION = /^&(\w+)(?:\((.*)\))?$/;
const KNOWN_APPLICATIONS = new Set('park hangup echo playback sleep conference bridge socket answer info delay_echo eavesdrop'.split(' '));
const KNOWN_EXTENSION = /^(919[0-9]|5900|10[01][0-9]|300[0-9]|\*?9664)$/;

/**
 * Runs the applications of channels and transfers channels, each after a realistic delay.
 *
 * Source: test/fixtures/esl/README.md §1a "room not yet there", §4 "uuid_transfer", recordings c-api-commands, d-conference-plain
 */
export class Moves {
  readonly #core: MoveSide;

  constructor(core: MoveSide) {
    this.#core = core;
  }

  /** Delay of an operation that the switch runs in a thread of its own, in ms. */
  get delayMs(): number {
    return randomInt(this.#core.options.timing, MOVE_MS.min, MOVE_MS.max);
  }

  /** `uuid_transfer`: replies at once and moves the channel later; a second command replaces the first. */
  transfer(channel: Channel, destination: string): void {
    const place = /^conference:(.+)$/.exec(destination)?.[1];
    this.#move(channel, place === undefined ? this.delayMs : this.#roomDelayMs(this.delayMs), () => {
      this.#core.bridges.separate(channel);
      if (place !== undefined) return this.#enterRoom(channel, place);
      this.#core.conferences.leave(channel);
      this.#runInline(channel, inlineApplications(destination));
    });
  }

  /** Runs applications in order; a file or a tone ends after its duration, any other application stays. */
  #runInline(channel: Channel, [first, ...rest]: readonly RunningApplication[]): void {
    if (first?.name === 'eavesdrop') return this.#eavesdrop(channel, first.data);
    if (first?.name === 'hangup') return this.#core.kill(channel, first.data || 'NORMAL_CLEARING');
    if (first === undefined || !INLINE_APPLICATIONS.has(first.name)) return this.#core.kill(channel, 'NO_ROUTE_DESTINATION');
    this.#core.execute(channel, first);
    if (first.name !== 'playback') return;
    this.#core.options.recorder.played(channel.uuid, first.data);
    this.#core.later(channel, PLAYBACK_MS, () => this.#runInline(channel, rest));
  }

  /** Starts the originate's application after the answer, unless the channel was transferred meanwhile. */
  start(channel: Channel): void {
    if (channel.running !== null || channel.cancelMove !== null) return;
    const [, name, data = ''] = APPLICATION.exec(channel.application) ?? [];
    if (name === undefined) return this.#startExtension(channel);
    if (!KNOWN_APPLICATIONS.has(name)) return this.#core.kill(channel, 'DESTINATION_OUT_OF_ORDER');
    if (name === 'hangup') return this.#core.kill(channel, 'NORMAL_CLEARING');
    if (name === 'eavesdrop') return this.#eavesdrop(channel, data);
    if (name !== 'conference') return this.#core.execute(channel, { name, data });
    const delayMs = this.#roomDelayMs(0);
    if (delayMs === 0) this.#enterRoom(channel, data);
    else this.#move(channel, delayMs, () => this.#enterRoom(channel, data));
  }

  /** The application ends with the channel that it listens to, and the listener's channel with it. */
  #eavesdrop(channel: Channel, uuid: string): void {
    if (!this.#core.channels.has(uuid)) return this.#core.kill(channel, 'NORMAL_CLEARING');
    this.#core.execute(channel, { name: 'eavesdrop', data: uuid });
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

/** Parses `app:data,app:data` of the inline dialplan; a prefix `m:^:` sets another separator. */
function inlineApplications(destination: string): RunningApplication[] {
  const named = /^m:(.):/.exec(destination)?.[1];
  const list = named === undefined ? destination.split(',') : destination.slice('m:^:'.length).split(named);
  return list.map(entry => {
    const colon = entry.indexOf(':');
    return colon === -1 ? { name: entry, data: '' } : { name: entry.slice(0, colon), data: entry.slice(colon + 1) };
  });
}
