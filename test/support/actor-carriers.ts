import type { Delivery, Envelope } from '#protocol/actor-messages.ts';
import { ActorRouter } from '#platform/actor-host/actor-router.ts';
import { systemClock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import type { ActorCarrier } from '#platform/actor-host/actor-carrier.ts';

export const busAway = () => new CalloutError('BUS_UNAVAILABLE', '消息总线暂不可用');

/** Router without a working bus: it delivers every message to the sender's own host. */
export function localRouter(): ActorRouter {
  return new ActorRouter({ carrier: { carry: () => Promise.reject(busAway()) }, clock: systemClock, log: silentLog });
}

/** Fates of a message on the bus; `refused`: the receiver rejects its signature or its age. */
export const FAULTS = ['carried', 'twice', 'lost', 'lostReply', 'noResponders', 'late', 'refused'] as const;
export type Fault = (typeof FAULTS)[number];

const ROUGH_SHARE = 0.5;

/** Simulates an unreliable NATS queue group: any instance receives a message once, twice, late or never, and its reply may be lost. */
export class RoughCarrier implements ActorCarrier {
  /** Fates of the next messages, in order; drawn at random once empty. */
  readonly next: Fault[] = [];
  readonly seen = new Set<Fault>();
  readonly #late: Envelope[] = [];
  readonly #random: Random;
  readonly #takers: () => readonly Pick<ActorRouter, 'deliver'>[];

  constructor(random: Random, takers: () => readonly Pick<ActorRouter, 'deliver'>[]) {
    this.#random = random;
    this.#takers = takers;
  }

  async carry(envelope: Envelope): Promise<Delivery> {
    await this.deliverLate();
    const fault = this.next.shift() ?? this.#drawFault();
    this.seen.add(fault);
    if (fault === 'late') this.#late.push(envelope);
    if (fault === 'twice' || fault === 'lostReply') await this.#take(envelope);
    if (fault === 'carried' || fault === 'twice') return this.#take(envelope);
    throw busAway();
  }

  /** Delivers the delayed messages, as a paused receiver does when it resumes long after the sender gave up. */
  async deliverLate(): Promise<void> {
    for (const envelope of this.#late.splice(0)) await this.#take(envelope).catch(() => undefined);
  }

  #take(envelope: Envelope): Promise<Delivery> {
    return this.#pick(this.#takers()).deliver(envelope);
  }

  #drawFault(): Fault {
    return this.#random.next() < ROUGH_SHARE ? 'carried' : this.#pick(FAULTS);
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random.next() * items.length)];
    if (item === undefined) throw busAway();
    return item;
  }
}
