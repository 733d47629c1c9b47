import type { Channel } from './channel.ts';

/** What joining channels does to the switch. */
export interface BridgeSide {
  readonly channels: ReadonlyMap<string, Channel>;
  channelEvent(channel: Channel, name: string, more?: (readonly [string, string])[]): void;
  kill(channel: Channel, cause: string): void;
}

/**
 * Channels that are joined in pairs: the end of one ends the other.
 *
 * Source: fixtures/esl/README.md §4 "uuid_bridge", recording c-api-commands
 */
export class Bridges {
  readonly #core: BridgeSide;
  readonly #pairs = new Map<string, { a: Channel; b: Channel }>();

  constructor(core: BridgeSide) {
    this.#core = core;
  }

  /** `uuid_bridge A B`. */
  join(firstUuid: string, secondUuid: string): string {
    const [a, b] = [this.#core.channels.get(firstUuid), this.#core.channels.get(secondUuid)];
    if (!a || !b || a === b) return '-ERR Invalid uuid\n';
    this.#part(a);
    this.#part(b);
    const pair = { a, b };
    this.#pairs.set(a.uuid, pair);
    this.#pairs.set(b.uuid, pair);
    this.#core.channelEvent(a, 'CHANNEL_BRIDGE', pairHeaders(pair));
    return `+OK ${b.uuid}\n`;
  }

  has(uuid: string): boolean {
    return this.#pairs.has(uuid);
  }

  /** The channel has ended: its partner ends too. */
  ended(channel: Channel): void {
    const partner = this.#part(channel);
    if (partner) this.#core.kill(partner, 'NORMAL_CLEARING');
  }

  clear(): void {
    this.#pairs.clear();
  }

  #part(channel: Channel): Channel | null {
    const pair = this.#pairs.get(channel.uuid);
    if (!pair) return null;
    this.#pairs.delete(pair.a.uuid);
    this.#pairs.delete(pair.b.uuid);
    this.#core.channelEvent(pair.a, 'CHANNEL_UNBRIDGE', pairHeaders(pair));
    return pair.a === channel ? pair.b : pair.a;
  }
}

function pairHeaders({ a, b }: { a: Channel; b: Channel }): (readonly [string, string])[] {
  return [
    ['Bridge-A-Unique-ID', a.uuid],
    ['Bridge-B-Unique-ID', b.uuid],
    ['Other-Type', 'originatee'],
    ['Other-Leg-Unique-ID', b.uuid],
    ['Other-Leg-Channel-Name', b.channelName],
  ];
}
