import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Envelope } from '#protocol/actor-messages.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import type { Aggregate } from '#platform/actor-host/aggregate.ts';
import { ActorRouter, messageId } from '#platform/actor-host/actor-router.ts';
import { pumpOnce } from '#platform/actor-host/pumps.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { currentTrace, inTrace } from '#kernel/trace.ts';
import { seededIds } from '#test/support/seeded-ids.ts';
import { FAULTS, RoughCarrier } from '#test/support/actor-carriers.ts';
import { MemoryActorStore } from '#test/support/memory-actor-store.ts';

// Test actors: one of type `call` sends each event on to the agent of the same id.

type Event = { type: string; at?: number };

function adding(type: string, effects: boolean): Aggregate<number, Event> {
  return {
    type,
    decide: state => ({ state: state + 1, effects: effects ? [{ type: 'tell', params: null }] : [], timers: {} }),
    serialize: String,
    parse: Number,
  };
}

const FIRST = { state: 0, effects: [], timers: {} };
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const random = seededRandom(1);
const ids = seededIds(random);

let agentStore: MemoryActorStore;
let callStore: MemoryActorStore;
let carrier: RoughCarrier;
let instances: ReturnType<typeof instance>[];
let traces: (string | undefined)[];

function instance() {
  const actors = new ActorRouter({ carrier, clock: systemClock, log: silentLog });
  const parts = { clock: systemClock, random, ids, log: silentLog };
  const agents = new ActorHost<number, Event>({ ...parts, store: agentStore }, { aggregate: adding('agent', false), executors: {} });
  const calls = new ActorHost<number, Event>(
    { ...parts, store: callStore },
    {
      aggregate: adding('call', true),
      executors: {
        async tell(_: never, context) {
          traces.push(currentTrace());
          const event = { type: 'released', fence: 'f', at: 1 } as const;
          await actors.send({ to: { type: 'agent', id: context.id }, event, commandId: messageId(context) });
        },
      },
    },
  );
  actors.register('agent', agents);
  return { actors, agents, calls };
}

beforeEach(async () => {
  agentStore = new MemoryActorStore();
  callStore = new MemoryActorStore();
  traces = [];
  carrier = new RoughCarrier(random, () => instances.map(({ actors }) => actors));
  instances = [instance(), instance()];
  const [one] = instances;
  for (const id of ['a', 'b']) {
    await one?.agents.create(id, FIRST, '', 'open');
    await one?.calls.create(id, FIRST, '', 'open');
  }
});

const told = async (id = 'a') => (await instances[0]?.agents.find(id))?.state;
const idle = () => Promise.all(instances.map(({ calls }) => calls.idle()));
const envelope: Envelope = { to: { type: 'agent', id: 'a' }, event: { type: 'released', fence: 'f', at: 1 }, commandId: 'c1' };

describe('a message reaches its actor once, whatever the bus does [A1.9]', () => {
  test.each(FAULTS)('%s', async fault => {
    carrier.next.push(fault);
    await instances[0]?.calls.send('a', { type: 'asked' }, 'c1');
    await idle();
    await carrier.deliverLate();
    expect(await told()).toBe(1);
    expect(callStore.outbox.size).toBe(0);
  });

  test('two hundred messages under random faults: none is lost and none delivered twice', async () => {
    for (let index = 0; index < 200; index++) {
      const id = index % 2 === 0 ? 'a' : 'b';
      await instances[index % 2]?.calls.send(id, { type: 'asked' }, `c${index}`);
      if (index % 5 === 0) await idle();
    }
    await idle();
    await carrier.deliverLate();
    expect([await told('a'), await told('b')]).toEqual([100, 100]);
    expect(carrier.seen).toEqual(new Set(FAULTS));
  });

  test('the same command id from two senders makes two messages', async () => {
    const context = { type: 'call', id: 'a', effectId: 'timer:1#0' };
    expect(messageId(context)).not.toBe(messageId({ ...context, id: 'b' }));
    expect(messageId(context)).not.toBe(messageId({ ...context, type: 'agent' }));
  });
});

describe('the outbox keeps a message until its receiver has replied', () => {
  test('a failing store keeps it there, and the pump sends it again', async () => {
    agentStore.beforeCommit = () => Promise.reject(new Error('away'));
    carrier.next.push('noResponders');
    await instances[0]?.calls.send('a', { type: 'asked' }, 'c1');
    await idle();
    expect([await told(), callStore.outbox.size]).toEqual([0, 1]);
    callStore.now += 60_000;
    const [, other] = instances;
    if (other) await pumpOnce({ store: callStore, clock: systemClock, log: silentLog, intervalMs: 1 }, other.calls);
    await idle();
    expect([await told(), callStore.outbox.size]).toEqual([1, 0]);
  });

  test('a missing receiver counts as a reply', async () => {
    carrier.next.push('carried', 'noResponders');
    expect(await instances[0]?.actors.send({ ...envelope, to: { type: 'agent', id: 'z' } })).toBe('absent');
    expect(await instances[0]?.actors.send({ ...envelope, to: { type: 'agent', id: 'z' } })).toBe('absent');
  });

  test('a delivery over the second route recognises what the first has applied', async () => {
    carrier.next.push('lostReply');
    expect(await instances[0]?.actors.send(envelope)).toBe('duplicate');
  });

  test('an actor type that no instance runs is an error', async () => {
    carrier.next.push('noResponders');
    const lost = { ...envelope, to: { type: 'agentCall', id: 'a' }, event: { type: 'agentRinging' } } as const;
    await expect(instances[0]?.actors.send(lost)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a trace continues through the outbox', () => {
  test('an effect runs in the trace of its event, also when another instance retries it', async () => {
    agentStore.beforeCommit = () => Promise.reject(new Error('away'));
    carrier.next.push('noResponders');
    await inTrace(TRACE, async () => instances[0]?.calls.send('a', { type: 'asked' }, 'c1'));
    await idle();
    callStore.now += 60_000;
    const [, other] = instances;
    if (other) await pumpOnce({ store: callStore, clock: systemClock, log: silentLog, intervalMs: 1 }, other.calls);
    await idle();
    expect(traces).toEqual([TRACE, TRACE]);
  });

  test('an event without a trace starts one', async () => {
    await instances[0]?.calls.send('a', { type: 'asked' }, 'c1');
    await idle();
    expect(traces).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(currentTrace()).toBeUndefined();
  });
});
