import { only } from '#test/support/only.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import type { AgentCallEvent } from '#actors/agent-call/events.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { ActorRouter } from '#platform/actor-host/actor-router.ts';
import { pumpOnce } from '#platform/actor-host/pumps.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import { type Random, randomInt, seededRandom } from '#kernel/random.ts';
import {
  agentAggregate,
  agentEffects,
  type AgentHost,
  type AgentState,
  findPresence,
  handleLegEvent,
  sendToAgent,
} from '#agents/agent-actor.ts';
import { type AgentReservations, createAgentReservations, suspectLegs } from '#agents/agent-directory.ts';
import {
  agentCallAggregate,
  type AgentCallHost,
  type AgentCallMeta,
  type AgentCallState,
  handleCustomerEvent,
  openAgentCall,
  suspectCalls,
  sweepAgentCalls,
} from '#agent-calls/agent-call-actor.ts';
import { agentCallEffects } from '#agent-calls/effects.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import { agentCallHolder } from '#agents/agent.ts';
import { customerLegUuid } from '#platform/freeswitch/channel-uuid.ts';
import { RoughCarrier } from '#test/support/actor-carriers.ts';
import { MemoryActorStore } from '#test/support/memory-actor-store.ts';
import { CallRecords } from './call-records.ts';
import { agentRow, EVERY_PHONE, FLOOR_CELL, NO_HISTORY } from './floor-agents.ts';
import { LegSwitch } from './leg-switch.ts';
import { seededIds } from '#test/support/seeded-ids.ts';
import type { AgentStore } from '#agents/agent-store.ts';

const AGENTS = 2;
/** Longer than any reservation, probe interval or retention, ms. */
const LONG_MS = 120_000;
const DIAL_TIMEOUT_MS = 35_000;
/** Longest allowed silence while the switch is reachable (I9), ms. */
const SILENCE_MS = 5_000;

export interface CallFloorOptions {
  /** Limits faults to lost events and to disconnects of the switch that the product notices. */
  losesSightAlone?: boolean;
}

const rows = Array.from({ length: AGENTS }, (_, index) => agentRow(index + 1));
const AGENT_ROWS = only<AgentStore>({
  list: async () => rows,
  find: async (agentId: number) => rows.find(row => row.id === agentId) ?? null,
});

interface Instance {
  agents: AgentHost;
  calls: AgentCallHost;
  actors: ActorRouter;
  deps: Parameters<typeof sweepAgentCalls>[0] & Parameters<typeof suspectCalls>[0];
}

/**
 * A simulation of calls that agents place: two instances of the production code over one store, and a switch that loses events, responds
 * late and disconnects. One seed determines everything. Legs end at the switch only when the product ends them.
 */
export class CallFloor {
  readonly seen = { placed: 0, bridged: 0, lostEvents: 0, lostAnswers: 0, away: 0, crashed: 0 };
  readonly #random: Random;
  readonly #ids: () => string;
  readonly #agentStore = new MemoryActorStore();
  readonly #callStore = new MemoryActorStore();
  readonly #records = new CallRecords(() => this.#now);
  readonly #switch: LegSwitch;
  readonly #instances: readonly Instance[];
  readonly #faults: string[] = [];
  readonly #clock: Clock;
  readonly #carrier: RoughCarrier;
  readonly #losesSightAlone: boolean;
  #now = 0;
  #events = 0;
  #reachableSince = 0;
  /** Time at which the customer of an agent's leg was last present at the switch. */
  readonly #lastHeard = new Map<string, number>();

  constructor(seed: number, { losesSightAlone = false }: CallFloorOptions = {}) {
    this.#losesSightAlone = losesSightAlone;
    this.#random = seededRandom(seed);
    this.#ids = seededIds(this.#random);
    this.#clock = {
      now: () => this.#now,
      monotonic: () => this.#now,
      schedule: (_delayMs, task) => {
        queueMicrotask(task);
        return () => undefined;
      },
    };
    this.#switch = new LegSwitch(this.#random, () => this.#now);
    this.#carrier = new RoughCarrier(this.#random, () => this.#instances.map(({ actors }) => actors));
    this.#instances = [this.#newInstance(), this.#newInstance()];
  }

  async run(steps: number): Promise<void> {
    for (let agentId = 1; agentId <= AGENTS; agentId++)
      await sendToAgent(this.#any().agents, agentId, { type: 'statusChosen', status: 'idle', at: 0 }, this.#ids());
    // Keeps the first answers away from time 0.
    this.#now = 1_000;
    for (let step = 0; step < steps; step++) await this.#step();
  }

  /** Lets everything end and returns the faults found. Shape: one sentence per fault */
  async settle(): Promise<string[]> {
    if (!this.#switch.isReachable) await this.#comesOrGoes();
    for (let round = 0; round < 12; round++) {
      await this.#pass(LONG_MS / 4);
      this.#switch.ringOut();
      // Customers finally hang up, without events.
      if (round === 4) this.#switch.customersLeave();
      await this.#guarded(sweepAgentCalls(this.#any().deps));
    }
    for (let agentId = 1; agentId <= AGENTS; agentId++) {
      const presence = await findPresence(this.#any().agents, agentId);
      if (presence?.stage !== 'idle') this.#faults.push(`agent ${agentId} is stuck in ${presence?.stage}`);
    }
    for (const uuid of this.#switch.presence()) this.#faults.push(`${uuid} is left at the switch`);
    for (const { requestId, answeredAt } of this.#records.answers()) {
      if (answeredAt !== this.#switch.answeredAt(requestId)) this.#faults.push(`${requestId} was not answered at ${answeredAt}`);
    }
    for (const requestId of this.#records.open()) this.#faults.push(`the record of ${requestId} is open`);
    for (const requestId of this.#records.slots) this.#faults.push(`the slot of ${requestId} is held`);
    for (const [key] of this.#callStore.actors) this.#faults.push(`the call ${key} is never forgotten`);
    return this.#faults;
  }

  async #step(): Promise<void> {
    const dice = this.#random.next();
    if (dice < 0.25) return this.#place();
    if (dice < 0.65) return this.#legMoves();
    if (dice < 0.75) {
      this.seen.away += 1;
      return this.#comesOrGoes();
    }
    if (dice < 0.8 && !this.#losesSightAlone)
      return void ((this.#random.next() < 0.5 ? this.#agentStore : this.#callStore).loseReplies += 1);
    return this.#pass(randomInt(this.#random, 100, 20_000));
  }

  async #comesOrGoes(): Promise<void> {
    this.#switch.isReachable = !this.#switch.isReachable;
    if (!this.#switch.isReachable) return;
    this.#reachableSince = this.#now;
    if (!this.#losesSightAlone) return;
    for (const { agents, deps } of this.#instances) {
      await suspectLegs({ agents: AGENT_ROWS, agentHost: agents, ids: this.#ids }, FLOOR_CELL);
      await suspectCalls(deps, FLOOR_CELL);
    }
    await this.#drain();
  }

  /** Mirrors place-call.ts; the instance may die after each step. */
  async #place(): Promise<void> {
    const { agents, calls } = this.#any();
    const requestId = customerLegUuid(this.#ids());
    const agentId = randomInt(this.#random, 1, AGENTS);
    const dies = () => {
      const isDead = !this.#losesSightAlone && this.#random.next() < 0.1;
      if (isDead) this.seen.crashed += 1;
      return isDead;
    };
    await this.#guarded(
      (async () => {
        const request = { holder: agentCallHolder(requestId), agentId, cellId: FLOOR_CELL, isOwnCall: true };
        const reservation = await this.#reservations(agents).reserve(request);
        if (!reservation || dies()) return;
        const { fence } = reservation;
        const softphoneCallId = this.#records.create(requestId, fence);
        if (dies()) return;
        this.#records.slots.add(requestId);
        if (dies()) return;
        await openAgentCall(calls, metaOf({ requestId, fence, agentId, softphoneCallId }), { dialTimeoutMs: DIAL_TIMEOUT_MS });
        this.seen.placed += 1;
      })(),
    );
    await this.#drain();
  }

  async #legMoves(): Promise<void> {
    const moved = this.#switch.move();
    if (moved) for (const { uuid, kind } of moved) await this.#tell(uuid, kind);
    await this.#drain();
  }

  /** Delivers an event to both instances or none. */
  async #tell(requestId: string, kind: 'ringing' | 'answered' | 'hung_up'): Promise<void> {
    if (this.#isUnheard(kind)) {
      this.seen.lostEvents += 1;
      if (kind === 'answered') this.seen.lostAnswers += 1;
      return;
    }
    const common = { cellId: FLOOR_CELL, requestId, at: this.#now, eventId: `core:${(this.#events += 1)}` };
    const event: SwitchEvent =
      kind === 'hung_up'
        ? { ...common, kind, cause: 'NORMAL_CLEARING', by: 'customer', answeredAt: null, progressAt: null }
        : kind === 'ringing'
          ? { ...common, kind, earlyMedia: false }
          : { ...common, kind };
    const told = this.#instances.flatMap(({ agents, calls }) => [handleLegEvent(agents, event), handleCustomerEvent(calls, event)]);
    await Promise.all(told.map(one => this.#guarded(one)));
  }

  #isUnheard(kind: 'ringing' | 'answered' | 'hung_up'): boolean {
    if (!this.#losesSightAlone) return this.#random.next() < 0.2;
    return !this.#switch.isReachable || this.#random.next() < (kind === 'answered' ? 0.5 : 0.1);
  }

  async #pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    while (this.#now < until) {
      this.#now = Math.min(until, this.#now + (this.#losesSightAlone ? 500 : 2_500));
      [this.#agentStore.now, this.#callStore.now] = [this.#now, this.#now];
      await this.#drain();
      if (this.#losesSightAlone) this.#listen();
    }
  }

  /** Checks that no answered leg waits in silence: it is bridged, or the other party is being called. */
  #listen(): void {
    if (!this.#switch.isReachable) return;
    for (const { uuid, answeredAt } of this.#switch.alone()) {
      const customer = this.#records.customerOf(uuid) ?? uuid;
      if (customer !== uuid && this.#switch.presence().includes(customer)) this.#lastHeard.set(uuid, this.#now);
      const silence = this.#now - Math.max(answeredAt, this.#reachableSince, this.#lastHeard.get(uuid) ?? 0);
      if (silence > SILENCE_MS) this.#faults.push(`${uuid} has waited in silence for ${silence} ms`);
    }
  }

  /** Pumps until nothing is due, no effect runs, and the hang-ups caused by the product have been reported. */
  async #drain(): Promise<void> {
    for (const { agents, calls } of this.#instances) {
      await pumpOnce({ store: this.#agentStore, clock: this.#clock, log: silentLog, intervalMs: 0 }, agents);
      await pumpOnce({ store: this.#callStore, clock: this.#clock, log: silentLog, intervalMs: 0 }, calls);
      await agents.idle();
      await calls.idle();
    }
    const ended = this.#switch.takeEnded();
    for (const uuid of ended) await this.#tell(uuid, 'hung_up');
    this.seen.bridged = this.#switch.bridges;
    if (ended.length > 0) await this.#drain();
  }

  #any(): Instance {
    const instance = this.#instances[this.#random.next() < 0.5 ? 0 : 1];
    if (!instance) throw new Error('there are two instances');
    return instance;
  }

  #reservations(agentHost: AgentHost): AgentReservations {
    return createAgentReservations({
      agents: AGENT_ROWS,
      agentHost,
      phoneRegistry: EVERY_PHONE,
      clock: this.#clock,
      ids: this.#ids,
      wrapUpOf: async () => ({ wrapUpMs: 0, isRequired: false }),
    });
  }

  #newInstance(): Instance {
    const [clock, random, ids] = [this.#clock, this.#random, this.#ids];
    const parts = { clock, random, ids, log: silentLog };
    const actors = new ActorRouter({ carrier: this.#carrier, clock, log: silentLog });
    const agents: AgentHost = new ActorHost<AgentState, AgentEvent>(
      { ...parts, store: this.#agentStore },
      {
        aggregate: agentAggregate(),
        executors: agentEffects({ ...NO_HISTORY, switchPort: this.#switch.port, actors, clock, log: silentLog, host: () => agents }),
      },
    );
    const deps = {
      ...parts,
      actors,
      ...this.#records.ports,
      agentReservations: this.#reservations(agents),
      switchPort: this.#switch.port,
      phones: this.#switch.phones,
      db: { rows: async () => [], first: async () => undefined },
      timeZone: 'Asia/Shanghai',
      region: 'CN',
      sendDeadlineMs: 2_000,
      originateTimeoutSeconds: () => 30,
      host: () => calls,
    };
    const calls: AgentCallHost = new ActorHost<AgentCallState, AgentCallEvent>(
      { ...parts, store: this.#callStore },
      { aggregate: agentCallAggregate(), executors: agentCallEffects(deps as unknown as Parameters<typeof agentCallEffects>[0]) },
    );
    actors.register('agent', agents);
    actors.register('agentCall', calls);
    return { agents, calls, actors, deps: { ...deps, agentCallHost: calls } as unknown as Instance['deps'] };
  }

  /** A lost reply looks like an unavailable cache; any other error is a fault. */
  async #guarded(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!(error instanceof CalloutError)) this.#faults.push(String(error));
    });
  }
}

function metaOf(call: Pick<AgentCallMeta, 'requestId' | 'fence' | 'agentId' | 'softphoneCallId'>): AgentCallMeta {
  return {
    ...call,
    phoneExtension: String(7_000 + call.agentId),
    realm: '127.0.0.1',
    cellId: FLOOR_CELL,
    campaignId: null,
    destination: '13900000050',
    callerNumber: null,
    line: {
      id: 1,
      dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
      callerIdName: null,
      callerIdHeaderMode: 'caller_id_only',
    },
    timeoutSeconds: 30,
  };
}
