import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { callStage } from '#actors/call/stage.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { systemIds } from '#kernel/ids.ts';
import { seededRandom } from '#kernel/random.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { pumpOnce } from '#platform/actor-host/pumps.ts';
import type { Caller } from '#kernel/caller.ts';
import { type CallActorEvent, callAggregate, type CallMeta, type CallState, openCall, type CallsPart } from '#calls/call-actor.ts';
import { endCall } from '#calls/hang-up.ts';
import { MemoryActorStore } from '#test/support/memory-actor-store.ts';
import type { AuditPart } from '#audit/audit.ts';
import type { Platform } from '#platform/platform.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const META = { requestId: ID, attemptId: 1, campaignId: 1, cellId: 'cell-1', businessConfig: {} } as CallMeta;
const INPUT = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000, epoch: 0 };
const RUNTIME = { kind: 'internal', name: 'runtime' } as unknown as Caller;
const RUNS = 400;
/** Time that passes in one step, ms. */
const STEP_MS = 5_000;

const STEPS = ['ended', 'result', 'endCall', 'customer hangs up', 'switch tells', 'instance dies', 'time passes'] as const;
type Step = (typeof STEPS)[number];

/** One answered call that a runtime owns; the switch reports events late, twice, or after the runtime. */
class World {
  readonly store = new MemoryActorStore();
  isStanding = true;
  released = 0;
  settled = 0;
  /** Events that the switch has not yet reported. */
  #untold: CallActorEvent[] = [];
  #isDying = false;
  #step = 0;
  #host = this.#start();

  async begin(): Promise<void> {
    await openCall(this.#host, META, INPUT);
    await this.#tell({ type: 'channelAnswered', at: 1_000 });
    await this.#tell({ type: 'runtimeAccepted', runtimeId: 'runtime-1', epoch: 1 });
  }

  async play(step: Step): Promise<void> {
    this.#step += 1;
    if (step === 'ended') await this.#tell({ type: 'runtimeEnded', epoch: 1 });
    if (step === 'result') await this.#tell({ type: 'resultReported' });
    if (step === 'endCall') await this.#endCall();
    if (step === 'customer hangs up') this.#hangUp('customer');
    if (step === 'switch tells') for (const event of this.#untold) await this.#tell(event);
    // The dead instance leaves its effects in the outbox.
    if (step === 'instance dies') this.#isDying = true;
    if (step === 'time passes') await this.pass(STEP_MS);
  }

  async pass(ms: number): Promise<void> {
    if (this.#isDying) this.#host = this.#start();
    this.#isDying = false;
    this.store.now += ms;
    await pumpOnce({ store: this.store, clock: systemClock, log: silentLog, intervalMs: 1 }, this.#host);
    await this.#host.idle();
  }

  async stage(): Promise<string> {
    const found = await this.#host.find(ID);
    return found ? callStage(found.state) : 'forgotten';
  }

  async #endCall(): Promise<void> {
    const wasStanding = this.isStanding || this.#untold.length > 0;
    const isOver = ['settling', 'ended', 'forgotten'].includes(await this.stage());
    const deps = { calls: this.#host, ids: systemIds, audit: { record: async () => undefined } } as unknown as Pick<CallsPart, 'calls'> &
      AuditPart &
      Pick<Platform, 'ids'>;
    const outcome = await endCall(deps, RUNTIME, ID, 'NORMAL_CLEARING').then(
      answer => answer.outcome,
      () => 'forgotten' as const,
    );
    await this.#host.idle();
    if (outcome === 'ended') expect(wasStanding).toBe(true);
    else expect(isOver).toBe(true);
  }

  #start(): ActorHost<CallState, CallActorEvent> {
    const whileAlive = (work: () => void) => async () => {
      if (this.#isDying) throw new Error('the instance died before it');
      work();
    };
    const executors = {
      recordAnswered: whileAlive(() => undefined),
      startRuntime: whileAlive(() => undefined),
      notifyHangup: whileAlive(() => undefined),
      forgetCall: async () => this.store.remove(ID),
      probeSwitch: async ({ sightings }: { sightings: number }) => {
        if (this.#isDying) throw new Error('the instance died before it');
        await this.#host.send(ID, this.#look(sightings), `look:${this.store.now}:${systemIds()}`);
      },
      killChannel: whileAlive(() => this.#hangUp('bot')),
      settleAttempt: whileAlive(() => (this.settled += 1)),
      releaseSlot: whileAlive(() => {
        expect(this.isStanding).toBe(false);
        this.released += 1;
      }),
    } as unknown as ConstructorParameters<typeof ActorHost<CallState, CallActorEvent>>[1]['executors'];
    const deps = { store: this.store, clock: systemClock, random: seededRandom(1), ids: systemIds, log: silentLog };
    return new ActorHost(deps, { aggregate: callAggregate(), executors });
  }

  #look(sightings: number): CallActorEvent {
    return this.isStanding ? { type: 'channelFound', answeredAt: 1_000, isHeard: true } : { type: 'channelMissing', sightings };
  }

  #hangUp(by: 'customer' | 'bot'): void {
    if (!this.isStanding) return;
    this.isStanding = false;
    this.#untold.push({ type: 'channelHungUp', at: 9_000, cause: 'NORMAL_CLEARING', callStatus: 'completed', by, answeredAt: 1_000 });
  }

  async #tell(event: CallActorEvent): Promise<void> {
    await this.#host.send(ID, event, `${event.type}:${this.#step}`);
    await this.#host.idle();
  }
}

test('ended, result and endCall in any order, repeated, while instances die: the channel ends, and its slot is freed only after that', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom<Step>(...STEPS), { maxLength: 14 }), async steps => {
      const world = new World();
      await world.begin();
      for (const step of steps) await world.play(step);
      const isToEnd = steps.some(step => step !== 'ended' && step !== 'switch tells' && step !== 'instance dies' && step !== 'time passes');
      for (let round = 0; round < 40; round++) await world.pass(STEP_MS);
      expect(world.isStanding).toBe(!isToEnd);
      expect(await world.stage()).toBe(isToEnd ? 'forgotten' : 'live');
      expect(world.released > 0).toBe(isToEnd);
      // A result in time leaves nothing to settle without it.
      const waited = steps.slice(0, steps.indexOf('result')).filter(step => step === 'time passes').length * STEP_MS;
      if (steps.includes('result') && waited < INPUT.resultGraceMs) expect(world.settled).toBe(0);
    }),
    { numRuns: RUNS },
  );
}, 60_000);
