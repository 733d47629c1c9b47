import { only } from '#test/support/only.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { pumpOnce } from '#platform/actor-host/pumps.ts';
import type { ChannelState } from '#platform/freeswitch/switch.ts';
import { silentLog } from '#kernel/log.ts';
import { type Random, randomInt, seededRandom } from '#kernel/random.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import type { Envelope } from '#protocol/actor-messages.ts';
import { type AgentReservation, createAgentReservations } from '#agents/agent-directory.ts';
import {
  agentAggregate,
  agentEffects,
  type AgentHost,
  type AgentState,
  findPresence,
  handleLegEvent,
  sendToAgent,
} from '#agents/agent-actor.ts';
import { agentCallHolder } from '#agents/agent.ts';
import { MemoryActorStore } from '#test/support/memory-actor-store.ts';
import { agentRow, EVERY_PHONE, FLOOR_CELL, NO_HISTORY } from './floor-agents.ts';
import { seededIds } from '#test/support/seeded-ids.ts';
import type { AgentStore } from '#agents/agent-store.ts';

const AGENTS = 3;
/** In half of the time of ten rounds, a required wrap-up ends, which lasts longer than any lease or probe interval; ms. */
const LONG_MS = 600_000;
const WRAP_UP_MS = 5_000;

/** A leg at the simulated switch; the production code learns of it only from events and probes. */
interface Leg {
  fence: string;
  agentId: number;
  holder: string;
  state: 'ringing' | 'answered' | 'gone';
}

/**
 * A simulation of agents: two instances of the production code over one store, and a switch that rings, loses events, responds late and
 * disconnects. One seed determines everything.
 */
export class AgentFloor {
  readonly seen = { reserved: 0, answered: 0, expired: 0, lostEvents: 0, strangers: 0 };
  readonly #random: Random;
  readonly #ids: () => string;
  readonly #store = new MemoryActorStore();
  readonly #legs = new Map<string, Leg>();
  readonly #waiting: AgentReservation[] = [];
  readonly #hosts: AgentHost[];
  readonly #clock: Clock;
  readonly #faults: string[] = [];
  #isReachable = true;
  #events = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#ids = seededIds(this.#random);
    // Scheduled tasks run at once, so no time passes while the code under test waits.
    this.#clock = {
      now: () => this.#store.now,
      monotonic: () => this.#store.now,
      schedule: (_delayMs, task) => {
        queueMicrotask(task);
        return () => undefined;
      },
    };
    this.#hosts = [this.#newHost(), this.#newHost()];
  }

  async run(steps: number): Promise<void> {
    for (let agentId = 1; agentId <= AGENTS; agentId++) await this.#choose(agentId, 'idle');
    for (let step = 0; step < steps; step++) await this.#step();
  }

  /** Lets everything end and returns the faults found: no agent may stay engaged. Shape: one sentence per fault */
  async settle(): Promise<string[]> {
    this.#isReachable = true;
    for (const leg of this.#legs.values()) if (this.#random.next() < 0.5) leg.state = 'gone';
    for (let round = 0; round < 10; round++) {
      // The switch finally drops the answered legs, without events.
      if (round === 5) for (const leg of this.#legs.values()) leg.state = 'gone';
      this.#store.now += LONG_MS / 4;
      await this.#drain();
    }
    for (let agentId = 1; agentId <= AGENTS; agentId++) {
      const presence = await findPresence(this.#host(), agentId);
      if (presence && !['idle', 'busy', 'offline'].includes(presence.stage))
        this.#faults.push(`agent ${agentId} is stuck in ${presence.stage}`);
      if (presence?.context.reservation != null) this.#faults.push(`agent ${agentId} keeps a reservation`);
    }
    if (this.#store.outbox.size > 0) this.#faults.push(`${this.#store.outbox.size} effects are left`);
    return this.#faults;
  }

  async #step(): Promise<void> {
    const dice = this.#random.next();
    if (dice < 0.3) return this.#reserveAtOnce();
    if (dice < 0.45) return this.#dial();
    if (dice < 0.6) return this.#legMoves();
    if (dice < 0.67)
      return this.#choose(this.#anyAgent(), this.#random.next() < 0.7 ? 'idle' : this.#random.next() < 0.5 ? 'busy' : 'offline');
    if (dice < 0.73) return this.#release();
    if (dice < 0.78) return void (this.#isReachable = !this.#isReachable);
    if (dice < 0.83) return this.#strangerRings();
    if (dice < 0.86) return void (this.#store.loseReplies += 1);
    return this.#pass(randomInt(this.#random, 100, 20_000));
  }

  /** Several holders reserve at once, on both instances. */
  async #reserveAtOnce(): Promise<void> {
    const asks = Array.from({ length: randomInt(this.#random, 1, 4) }, () => {
      const request = { holder: agentCallHolder(this.#ids()), ...(this.#random.next() < 0.4 ? { agentId: this.#anyAgent() } : {}) };
      return this.#reservations()
        .reserve(request)
        .catch((error: unknown) => this.#expected(error));
    });
    const won = (await Promise.all(asks)).filter(reservation => reservation !== undefined);
    const agents = won.map(reservation => reservation.agentId);
    if (new Set(agents).size < agents.length) this.#faults.push('one agent was given to two holders at once');
    for (const { agentId } of won)
      if (this.#waiting.some(other => other.agentId === agentId && this.#isHeld(other))) this.#faults.push('an agent was given away twice');
    this.#waiting.push(...won);
    this.seen.reserved += won.length;
  }

  /** The holder rings the phone, at once, late or never. */
  async #dial(): Promise<void> {
    const reservation = this.#take();
    if (!reservation || this.#random.next() < 0.2) return;
    const leg: Leg = { fence: reservation.fence, agentId: reservation.agentId, holder: reservation.holder, state: 'ringing' };
    this.#legs.set(leg.fence, leg);
    await this.#tell(leg, 'ringing');
  }

  async #legMoves(): Promise<void> {
    const open = [...this.#legs.values()].filter(leg => leg.state !== 'gone');
    const leg = open[randomInt(this.#random, 0, Math.max(0, open.length - 1))];
    if (!leg) return;
    if (leg.state === 'ringing' && this.#random.next() < 0.6) {
      leg.state = 'answered';
      await this.#tell(leg, 'answered');
      return;
    }
    leg.state = 'gone';
    await this.#tell(leg, 'hung_up');
  }

  async #release(): Promise<void> {
    const reservation = this.#take();
    if (reservation)
      await this.#reservations()
        .release(reservation.fence)
        .catch((error: unknown) => this.#expected(error));
  }

  /** A leg of an expired reservation appears after all. */
  async #strangerRings(): Promise<void> {
    const old = [...this.#legs.values()].find(leg => leg.state === 'gone');
    if (!old) return;
    this.seen.strangers += 1;
    old.state = 'answered';
    await this.#tell(old, 'answered', { isCertain: true });
    await this.#drain();
    if (this.#isReachable && (old.state as Leg['state']) !== 'gone' && !(await this.#isCurrent(old)))
      this.#faults.push('a leg that nobody holds goes on');
  }

  async #choose(agentId: number, status: 'idle' | 'busy' | 'offline'): Promise<void> {
    await sendToAgent(this.#host(), agentId, { type: 'statusChosen', status, at: this.#store.now }, this.#ids()).catch((error: unknown) =>
      this.#expected(error),
    );
  }

  /** Delivers an event to both instances, one or none; sometimes twice. */
  async #tell(leg: Leg, kind: 'ringing' | 'answered' | 'hung_up', options: { isCertain?: boolean } = {}): Promise<void> {
    if (options.isCertain !== true && this.#random.next() < 0.25) {
      this.seen.lostEvents += 1;
      return;
    }
    const common = { cellId: FLOOR_CELL, requestId: leg.fence, at: this.#store.now, eventId: `core:${(this.#events += 1)}` };
    const event =
      kind === 'hung_up'
        ? { ...common, kind, cause: 'NORMAL_CLEARING', by: 'customer' as const, answeredAt: null, progressAt: null }
        : kind === 'ringing'
          ? { ...common, kind, earlyMedia: false }
          : { ...common, kind };
    await Promise.all(this.#hosts.map(host => handleLegEvent(host, event).catch((error: unknown) => this.#expected(error))));
    if (kind === 'answered') this.seen.answered += 1;
  }

  async #pass(ms: number): Promise<void> {
    const until = this.#store.now + ms;
    while (this.#store.now < until) {
      this.#store.now = Math.min(until, this.#store.now + 7_500);
      await this.#drain();
    }
  }

  /** Pumps until nothing is due and no effect runs. */
  async #drain(): Promise<void> {
    for (const host of this.#hosts) {
      await pumpOnce({ store: this.#store, clock: this.#clock, log: silentLog, intervalMs: 0 }, host);
      await host.idle();
    }
  }

  async #isCurrent(leg: Leg): Promise<boolean> {
    return (await findPresence(this.#host(), leg.agentId))?.context.reservation?.fence === leg.fence;
  }

  #isHeld(reservation: AgentReservation): boolean {
    const snapshot = this.#store.actors.get(String(reservation.agentId))?.snapshot ?? '';
    return snapshot.includes(reservation.fence) && !this.#waiting.includes(reservation);
  }

  #take(): AgentReservation | undefined {
    return this.#waiting.splice(randomInt(this.#random, 0, Math.max(0, this.#waiting.length - 1)), 1)[0];
  }

  #anyAgent(): number {
    return randomInt(this.#random, 1, AGENTS);
  }

  #host(): AgentHost {
    const [first, second] = this.#hosts;
    const host = this.#random.next() < 0.5 ? first : second;
    if (!host) throw new Error('there are two hosts');
    return host;
  }

  #reservations() {
    const agents = Array.from({ length: AGENTS }, (_, index) => agentRow(index + 1));
    return createAgentReservations({
      agents: only<AgentStore>({ list: async () => agents, find: async agentId => agents.find(agent => agent.id === agentId) ?? null }),
      agentHost: this.#host(),
      phoneRegistry: EVERY_PHONE,
      clock: this.#clock,
      ids: this.#ids,
      wrapUpOf: async () => ({ wrapUpMs: this.#random.next() < 0.5 ? 0 : WRAP_UP_MS, isRequired: this.#random.next() < 0.2 }),
    });
  }

  #newHost(): AgentHost {
    const ask = async <T>(answer: () => T): Promise<T> => {
      if (!this.#isReachable) throw new CalloutError('SWITCH_UNAVAILABLE', '交换机无应答');
      return answer();
    };
    const host: AgentHost = new ActorHost<AgentState, AgentEvent>(
      { store: this.#store, clock: this.#clock, random: this.#random, ids: this.#ids, log: silentLog },
      {
        aggregate: agentAggregate(),
        executors: agentEffects({
          switchPort: {
            probe: (_cellId, uuid) => ask(() => this.#stateOf(uuid)),
            hangup: (_cellId, uuid) => ask(() => this.#kill(uuid)),
          },
          ...NO_HISTORY,
          actors: { send: message => this.#hear(message) },
          clock: this.#clock,
          log: silentLog,
          host: () => host,
        }),
      },
    );
    return host;
  }

  #stateOf(uuid: string): ChannelState {
    const state = this.#legs.get(uuid)?.state ?? 'gone';
    if (state === 'gone') return { kind: 'absent' };
    return state === 'answered' ? { kind: 'answered', answeredAt: this.#clock.now() } : { kind: 'ringing' };
  }

  #kill(uuid: string): 'ended' | 'absent' {
    const leg = this.#legs.get(uuid);
    if (!leg || leg.state === 'gone') return 'absent';
    leg.state = 'gone';
    return 'ended';
  }

  async #hear({ event }: Envelope): Promise<'applied'> {
    if (event.type === 'agentGone' && event.mayStand === true) this.seen.expired += 1;
    return 'applied';
  }

  /** A lost reply looks like an unavailable cache; any other error is a fault. */
  #expected(error: unknown): undefined {
    if (!(error instanceof CalloutError)) this.#faults.push(String(error));
    return undefined;
  }
}
