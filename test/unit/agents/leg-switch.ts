import { CalloutError } from '#kernel/errors.ts';
import { type Random, randomInt } from '#kernel/random.ts';
import type { ChannelState, OriginateCommand, OriginateReply } from '#platform/freeswitch/switch.ts';
import { agentOfLeg } from '#platform/freeswitch/channel-uuid.ts';

interface Leg {
  uuid: string;
  state: 'ringing' | 'answered' | 'gone';
  answeredAt: number;
  partner: Leg | null;
}

/**
 * A switch whose legs ring, answer, are bridged and end; it randomly refuses dials and loses replies. A parked leg stays until it is hung
 * up.
 */
export class LegSwitch {
  isReachable = true;
  bridges = 0;
  readonly #legs = new Map<string, Leg>();
  readonly #ended: string[] = [];
  readonly #random: Random;
  readonly #now: () => number;

  constructor(random: Random, now: () => number) {
    this.#random = random;
    this.#now = now;
  }

  readonly port = {
    probe: (_cellId: string, uuid: string) => this.#ask(() => this.#stateOf(uuid)),
    hangup: (_cellId: string, uuid: string) => this.#ask(() => this.#hangUp(uuid)),
    cells: () => [],
    originate: async ({ requestId }: OriginateCommand): Promise<OriginateReply> => this.#originate(requestId),
  };

  readonly phones = {
    bridge: (_cellId: string, first: string, second: string) => this.#ask(() => this.#bridge(first, second)),
  };

  /** Moves one leg on: it is answered or ends, and a leg bridged to it ends with it. */
  move(): { uuid: string; kind: 'ringing' | 'answered' | 'hung_up' }[] | null {
    const open = this.presence();
    const leg = this.#legs.get(open[randomInt(this.#random, 0, Math.max(0, open.length - 1))] ?? '');
    if (!leg) return null;
    if (leg.state === 'ringing') {
      const dice = this.#random.next();
      if (dice < 0.2) return [{ uuid: leg.uuid, kind: 'ringing' }];
      if (dice < 0.8) {
        leg.state = 'answered';
        leg.answeredAt = this.#now();
        return [{ uuid: leg.uuid, kind: 'answered' }];
      }
    } else if (leg.partner === null && this.#random.next() < 0.8) return null;
    return this.#end(leg).map(uuid => ({ uuid, kind: 'hung_up' }));
  }

  /** Phones that are not answered stop ringing, without events. */
  ringOut(): void {
    for (const leg of this.#legs.values()) if (leg.state === 'ringing') leg.state = 'gone';
  }

  /** Customers hang up, without events. */
  customersLeave(): void {
    for (const leg of this.#legs.values()) if (agentOfLeg(leg.uuid) === null && leg.state !== 'gone') this.#end(leg);
  }

  presence(): string[] {
    return [...this.#legs.values()].filter(leg => leg.state !== 'gone').map(leg => leg.uuid);
  }

  /** Answered legs that are not bridged. */
  alone(): { uuid: string; answeredAt: number }[] {
    return [...this.#legs.values()].filter(leg => leg.state === 'answered' && leg.partner === null);
  }

  answeredAt(uuid: string): number | null {
    return this.#legs.get(uuid)?.answeredAt || null;
  }

  /** Legs hung up by the product since the last call. */
  takeEnded(): string[] {
    return this.#ended.splice(0);
  }

  #stateOf(uuid: string): ChannelState {
    const leg = this.#legs.get(uuid);
    if (leg === undefined || leg.state === 'gone') return { kind: 'absent' };
    return leg.state === 'answered' ? { kind: 'answered', answeredAt: leg.answeredAt } : { kind: 'ringing' };
  }

  async #ask<T>(answer: () => T): Promise<T> {
    if (!this.isReachable) throw new CalloutError('SWITCH_UNAVAILABLE', '交换机无应答');
    return answer();
  }

  #originate(uuid: string): OriginateReply {
    if (!this.isReachable) return { kind: 'not_sent', reason: 'disconnected', replyText: '交换机连接不可用' };
    const dice = this.#random.next();
    if (dice < 0.1) return { kind: 'refused', replyText: '-ERR USER_BUSY', cause: 'USER_BUSY' };
    if (dice < 0.2) return { kind: 'unknown', replyText: '' };
    if (this.#legs.has(uuid)) throw new Error(`${uuid} was dialled twice`);
    this.#legs.set(uuid, { uuid, state: 'ringing', answeredAt: 0, partner: null });
    return dice < 0.3 ? { kind: 'unknown', replyText: '' } : { kind: 'accepted', replyText: '+OK' };
  }

  #hangUp(uuid: string): 'ended' | 'absent' {
    const leg = this.#legs.get(uuid);
    if (!leg || leg.state === 'gone') return 'absent';
    this.#ended.push(...this.#end(leg));
    return 'ended';
  }

  #bridge(first: string, second: string): 'bridged' | 'absent' {
    const [a, b] = [this.#legs.get(first), this.#legs.get(second)];
    if (a?.state !== 'answered' || b?.state !== 'answered') return 'absent';
    [a.partner, b.partner] = [b, a];
    this.bridges += 1;
    return 'bridged';
  }

  #end(leg: Leg): string[] {
    const both = [leg, ...(leg.partner ? [leg.partner] : [])].filter(({ state }) => state !== 'gone');
    for (const one of both) one.state = 'gone';
    return both.map(({ uuid }) => uuid);
  }
}
