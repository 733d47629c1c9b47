import type { Cancel, Clock } from '#kernel/clock.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import type { Channel, ChannelState, RunningApplication } from './channel.ts';

/** Operations of the switch that bridging needs. */
export interface BridgeSide {
  readonly options: { clock: Clock; timing: Random };
  readonly channels: ReadonlyMap<string, Channel>;
  readonly conferences: { leave(channel: Channel): void };
  channelEvent(channel: Channel, name: string, more?: (readonly [string, string])[]): void;
  execute(channel: Channel, application: RunningApplication, state: ChannelState, callUuid: string): void;
  later(channel: Channel, delayMs: number, task: () => void): Cancel;
  /** Called when a party joins or leaves a channel. */
  companyChanged(channel: Channel): void;
  kill(channel: Channel, cause: string): void;
}

interface Pair {
  a: Channel;
  b: Channel;
  /** Whether the two already hear each other. */
  isJoined: boolean;
}

/** Delay between the command and the bridge, both bounds inclusive, in ms. */
const JOIN_MS = { min: 20, max: 40 };

/**
 * Bridged pairs of channels: when one ends, so does the other.
 *
 * Source: test/fixtures/esl/README.md §4 "uuid_bridge", recording c-api-commands
 */
export class Bridges {
  readonly #core: BridgeSide;
  readonly #pairs = new Map<string, Pair>();

  constructor(core: BridgeSide) {
    this.#core = core;
  }

  /** `uuid_bridge A B`: replies at once and bridges later. */
  join(firstUuid: string, secondUuid: string): string {
    const [a, b] = [this.#core.channels.get(firstUuid), this.#core.channels.get(secondUuid)];
    if (!a || !b || a === b) return '-ERR Invalid uuid\n';
    this.#part(a);
    this.#part(b);
    const pair: Pair = { a, b, isJoined: false };
    this.#pairs.set(a.uuid, pair);
    this.#pairs.set(b.uuid, pair);
    const delayMs = randomInt(this.#core.options.timing, JOIN_MS.min, JOIN_MS.max);
    this.#core.later(a, delayMs, () => this.#meet(pair));
    return `+OK ${b.uuid}\n`;
  }

  /** Whether the channel is bridged and its partner hears it. */
  has(uuid: string): boolean {
    return this.#pairs.get(uuid)?.isJoined ?? false;
  }

  /** The channel that this one hears; null while it is not bridged. */
  partnerOf(channel: Channel): Channel | null {
    const pair = this.#pairs.get(channel.uuid);
    if (!pair?.isJoined) return null;
    return pair.a === channel ? pair.b : pair.a;
  }

  /** Ends the partner of an ended channel. */
  ended(channel: Channel): void {
    const partner = this.#part(channel);
    if (partner) this.#core.kill(partner, 'NORMAL_CLEARING');
  }

  /** Ends the partner of a transferred channel, unless the partner is being transferred too. */
  separate(channel: Channel): void {
    const partner = this.#part(channel);
    if (partner === null) return;
    if (partner.cancelMove === null) this.#core.kill(partner, 'NORMAL_CLEARING');
    else this.#core.companyChanged(partner);
  }

  clear(): void {
    this.#pairs.clear();
  }

  #meet(pair: Pair): void {
    const { a, b } = pair;
    if (this.#pairs.get(a.uuid) !== pair) return;
    pair.isJoined = true;
    for (const channel of [a, b]) {
      channel.cancelMove?.();
      channel.cancelMove = null;
      this.#core.conferences.leave(channel);
    }
    this.#core.execute(a, { name: 'uuid_bridge', data: b.uuid }, 'CS_SOFT_EXECUTE', a.uuid);
    this.#core.execute(b, { name: 'uuid_bridge', data: a.uuid }, 'CS_EXCHANGE_MEDIA', a.uuid);
    this.#core.channelEvent(a, 'CHANNEL_BRIDGE', pairHeaders(pair));
    for (const channel of [a, b]) this.#core.companyChanged(channel);
  }

  #part(channel: Channel): Channel | null {
    const pair = this.#pairs.get(channel.uuid);
    if (!pair) return null;
    this.#pairs.delete(pair.a.uuid);
    this.#pairs.delete(pair.b.uuid);
    if (pair.isJoined) this.#core.channelEvent(pair.a, 'CHANNEL_UNBRIDGE', pairHeaders(pair));
    return pair.a === channel ? pair.b : pair.a;
  }
}

function pairHeaders({ a, b }: Pair): (readonly [string, string])[] {
  return [
    ['Bridge-A-Unique-ID', a.uuid],
    ['Bridge-B-Unique-ID', b.uuid],
    ['Other-Type', 'originatee'],
    ['Other-Leg-Unique-ID', b.uuid],
    ['Other-Leg-Channel-Name', b.channelName],
  ];
}
