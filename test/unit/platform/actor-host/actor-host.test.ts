import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { ActorHost, type ActorKind, type SendOutcome } from '#platform/actor-host/actor-host.ts';
import type { Aggregate, Decision, TimerEvent } from '#platform/actor-host/aggregate.ts';
import { pumpOnce } from '#platform/actor-host/pumps.ts';
import { MemoryActorStore } from '#test/support/memory-actor-store.ts';
import { seededIds } from '#test/support/seeded-ids.ts';

interface Counter {
  count: number;
}
type CounterEvent = { type: 'added'; by: number } | { type: 'alarmed' } | { type: 'nothing' } | { type: 'whispered' };

const counter: Aggregate<Counter, CounterEvent> = {
  type: 'counter',
  decide(state, event): Decision<Counter> | null {
    if (event.type === 'added' && 'by' in event) {
      return {
        state: { count: state.count + event.by },
        effects: [{ type: 'tell', params: { count: state.count + event.by } }],
        timers: {},
      };
    }
    if (event.type === 'whispered') return { state: { count: state.count + 0.5 }, effects: [], timers: {} };
    if (event.type === 'alarmed') return { state, effects: [], timers: { 'xstate.after.bell.counter': 1_000 } };
    if (event.type.startsWith('xstate.after.bell')) return { state: { count: state.count + 100 }, effects: [], timers: {} };
    return null;
  },
  serialize: state => JSON.stringify(state),
  parse: snapshot => JSON.parse(snapshot) as Counter,
};

let store: MemoryActorStore;
let told: number[];
let failures: number;
let committed: number[];

const newHost = () =>
  new ActorHost<Counter, CounterEvent>(
    { store, clock: systemClock, random: seededRandom(1), ids: seededIds(seededRandom(2)), log: silentLog },
    {
      aggregate: counter,
      executors: {
        async tell({ count }: { count: number }) {
          if (failures > 0) {
            failures -= 1;
            throw new Error('the world is away');
          }
          told.push(count);
        },
      },
      mayWait: ({ type }) => type === 'whispered',
      committed: (_id, { version }) => committed.push(version),
    },
  );

const first: Decision<Counter> = { state: { count: 0 }, effects: [], timers: {} };
let host: ActorHost<Counter, CounterEvent>;

beforeEach(async () => {
  store = new MemoryActorStore();
  told = [];
  committed = [];
  failures = 0;
  host = newHost();
  await host.create('a', first, '{"campaignId":1}', 'open');
});

describe('one commit decides [A3]', () => {
  test('applies an event, writes it, runs its effects, clears the outbox', async () => {
    expect(await host.send('a', { type: 'added', by: 2 }, 'c1')).toMatchObject({
      kind: 'applied',
      before: { count: 0 },
      state: { count: 2 },
      version: 2,
    });
    await host.idle();
    expect(told).toEqual([2]);
    expect(store.outbox.size).toBe(0);
    expect(committed).toEqual([1, 2]);
  });

  test('the same command id applies once, from any instance', async () => {
    await host.send('a', { type: 'added', by: 2 }, 'c1');
    expect((await newHost().send('a', { type: 'added', by: 2 }, 'c1')).kind).toBe('duplicate');
    expect((await host.find('a'))?.state.count).toBe(2);
  });

  test('an event that changes nothing writes nothing', async () => {
    const before = store.commits;
    expect((await host.send('a', { type: 'nothing' }, 'c1')).kind).toBe('ignored');
    expect(store.commits).toBe(before);
  });

  test('a missing actor is reported as absent, and an existing one is not created again', async () => {
    expect(await host.send('b', { type: 'added', by: 1 }, 'c1')).toEqual({ kind: 'absent' });
    expect(await newHost().create('a', first, '', 'other')).toBe(false);
  });

  test('after a lost race the actor is reloaded and the event decided again', async () => {
    store.beforeCommit = async () => {
      await newHost().send('a', { type: 'added', by: 10 }, 'theirs');
    };
    expect(await host.send('a', { type: 'added', by: 1 }, 'mine')).toMatchObject({ kind: 'applied', state: { count: 11 } });
  });

  test('the actor that the caller has just found is not loaded again, unless it has changed', async () => {
    const seen = (await host.find('a')) ?? undefined;
    const loads = store.loads;
    expect(await host.send('a', { type: 'added', by: 1 }, 'c1', seen)).toMatchObject({ kind: 'applied', state: { count: 1 }, version: 2 });
    expect(store.loads).toBe(loads);
    expect(await host.send('a', { type: 'added', by: 2 }, 'c2', seen)).toMatchObject({ kind: 'applied', state: { count: 3 }, version: 3 });
    expect((await host.send('a', { type: 'added', by: 2 }, 'c2', seen)).kind).toBe('duplicate');
    await host.remove('a');
    expect(await host.send('a', { type: 'added', by: 2 }, 'c3', seen)).toEqual({ kind: 'absent' });
  });

  test('the actor that this host has just written is not loaded again, unless another instance changed it or the decision may throw', async () => {
    store.isWiped = true;
    await host.create('b', first, '', 'open');
    const loads = store.loads;
    expect(await host.send('b', { type: 'added', by: 1 }, 'c1')).toMatchObject({ kind: 'applied', state: { count: 1 }, version: 2 });
    expect(await host.send('b', { type: 'added', by: 1 }, 'c2')).toMatchObject({ kind: 'applied', state: { count: 2 }, version: 3 });
    expect(store.loads).toBe(loads);
    await newHost().send('b', { type: 'added', by: 10 }, 'theirs');
    expect(await host.send('b', { type: 'added', by: 1 }, 'c3')).toMatchObject({ kind: 'applied', state: { count: 13 }, version: 5 });
    expect((await host.send('b', { type: 'added', by: 1 }, 'c3')).kind).toBe('duplicate');
    await newHost().send('b', { type: 'added', by: 10 }, 'theirs again');
    const decide = ({ count }: Counter) => ({ type: 'added' as const, by: count });
    expect(await host.send('b', decide, 'c4')).toMatchObject({ state: { count: 46 } });
    await host.remove('b');
    expect(await host.send('b', { type: 'added', by: 1 }, 'c5')).toEqual({ kind: 'absent' });
  });

  test('the actor loaded for an event without effect is not loaded again for the next event', async () => {
    store.isWiped = true;
    await host.create('b', first, '', 'open');
    expect((await host.send('b', { type: 'nothing' }, 'c1')).kind).toBe('ignored');
    const loads = store.loads;
    expect(await host.send('b', { type: 'added', by: 1 }, 'c2')).toMatchObject({ kind: 'applied', state: { count: 1 }, version: 2 });
    expect(store.loads).toBe(loads);
    expect((await host.send('b', { type: 'nothing' }, 'c3')).kind).toBe('ignored');
    await newHost().send('b', { type: 'added', by: 10 }, 'theirs');
    expect(await host.send('b', { type: 'added', by: 1 }, 'c4')).toMatchObject({ kind: 'applied', state: { count: 12 }, version: 4 });
  });

  test('a refusal based on a state passed in is decided again on the current state', async () => {
    const seen = { state: { count: 0 }, version: 1, meta: null };
    await host.send('a', { type: 'added', by: 4 }, 'c1');
    expect(await host.send('a', { type: 'nothing' }, 'c2', seen)).toEqual({ kind: 'ignored', state: { count: 4 }, version: 2 });
  });

  test('events of one actor run in order, and 50 at once lose none', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => host.send('a', { type: 'added', by: 1 }, `c${index}`)));
    expect((await host.find('a'))?.state.count).toBe(50);
  });

  test('a lost reply repeats the commit with the same command id: it is applied once and its effects run', async () => {
    store.loseReplies = 1;
    expect((await host.send('a', { type: 'added', by: 5 }, 'c1')).kind).toBe('applied');
    await host.idle();
    expect((await host.find('a'))?.state.count).toBe(5);
    expect(told).toEqual([5]);
  });

  test('a command that another instance committed first returns its first result, without effects or deltas here', async () => {
    store.beforeCommit = async () => {
      failures = 1;
      await newHost().send('a', { type: 'added', by: 5 }, 'c1');
    };
    expect(await host.send('a', { type: 'added', by: 5 }, 'c1')).toEqual({ kind: 'duplicate', state: { count: 5 }, version: 2 });
    await host.idle();
    expect(committed).toEqual([1, 2]);
    expect(told).toEqual([]);
    // The effect failed at the other instance and stays in the outbox for a retry.
    expect([...store.outbox.keys()]).toEqual(['a|c1#0']);
  });

  test.each(['after the repeat', 'before the repeat'])(
    'a repeated command whose reply was lost is a duplicate, and later events start from the stored state, even if another event comes %s',
    async when => {
      store.isWiped = true;
      await host.create('b', first, '', 'open');
      await host.send('b', { type: 'added', by: 1 }, 'c1');
      const comesAnother = async () => void (await newHost().send('b', { type: 'added', by: 10 }, 'theirs'));
      // Between the two attempts.
      if (when === 'before the repeat') store.beforeCommit = async () => void (store.beforeCommit = comesAnother);
      store.loseReplies = 1;
      expect((await host.send('b', { type: 'added', by: 1 }, 'c1')).kind).toBe('duplicate');
      if (when === 'after the repeat') await comesAnother();
      expect(await host.send('b', { type: 'added', by: 100 }, 'c2')).toMatchObject({ kind: 'applied', state: { count: 111 } });
      await host.idle();
      expect(committed).toEqual([1, 1, 2, 3, 4]);
      expect(told).toEqual([1, 11, 111]);
    },
  );

  test('an actor created by another instance with the same command is not created again', async () => {
    store.beforeCommit = async () => void (await newHost().create('b', first, '', 'open'));
    expect(await host.create('b', first, '', 'open')).toBe(false);
    expect(committed).toEqual([1, 1]);
  });

  test('a permanent store outage is reported to the caller, and repeating the command settles it', async () => {
    store.loseReplies = 3;
    await expect(host.send('a', { type: 'added', by: 5 }, 'c1')).rejects.toMatchObject({ code: 'CACHE_UNAVAILABLE' });
    expect((await host.send('a', { type: 'added', by: 5 }, 'c1')).kind).toBe('duplicate');
    expect((await host.find('a'))?.state.count).toBe(5);
  });
});

describe('an unhurried event waits for the next event of its actor', () => {
  test('and is committed with it, before it; each sender gets its own outcome', async () => {
    const whispers = [host.send('a', { type: 'whispered' }, 'w1'), host.send('a', { type: 'whispered' }, 'w2')];
    expect(await host.send('a', { type: 'added', by: 2 }, 'c1')).toMatchObject({
      kind: 'applied',
      before: { count: 1 },
      state: { count: 3 },
    });
    expect(await Promise.all(whispers)).toMatchObject([
      { kind: 'applied', before: { count: 0 }, state: { count: 0.5 }, version: 2 },
      { kind: 'applied', before: { count: 0.5 }, state: { count: 1 }, version: 2 },
    ]);
    await host.idle();
    expect(committed).toEqual([1, 2]);
    expect(told).toEqual([3]);
    expect((await store.load('a'))?.commandIds).toEqual(['open', 'w1', 'w2', 'c1']);
  });

  test('and is applied once if its command is sent twice', async () => {
    const whispers = [host.send('a', { type: 'whispered' }, 'w1'), host.send('a', { type: 'whispered' }, 'w1')];
    expect((await Promise.all(whispers)).map(({ kind }) => kind)).toEqual(['applied', 'duplicate']);
    expect((await host.find('a'))?.state.count).toBe(0.5);
  });

  test('and is written after a moment if none comes, at the latest before the drain ends', async () => {
    expect(await host.send('a', { type: 'whispered' }, 'w1')).toMatchObject({ kind: 'applied', version: 2 });
    const last = host.send('a', { type: 'whispered' }, 'w2');
    await host.idle();
    expect((await host.find('a'))?.version).toBe(3);
    expect((await last).kind).toBe('applied');
  });

  test('and is not applied again if another instance has applied it meanwhile', async () => {
    const whisper = host.send('a', { type: 'whispered' }, 'w1');
    store.beforeCommit = async () => void (await newHost().send('a', { type: 'whispered' }, 'w1'));
    expect(await host.send('a', { type: 'added', by: 2 }, 'c1')).toMatchObject({ kind: 'applied', state: { count: 2.5 } });
    expect((await whisper).kind).toBe('duplicate');
    expect((await host.find('a'))?.state.count).toBe(2.5);
  });

  test('a lost race is decided again on the state that the store returned, without another load', async () => {
    store.isWiped = true;
    await host.create('b', first, '', 'open');
    await newHost().send('b', { type: 'added', by: 10 }, 'theirs');
    const loads = store.loads;
    expect(await host.send('b', { type: 'added', by: 1 }, 'c1')).toMatchObject({ kind: 'applied', state: { count: 11 } });
    expect(store.loads).toBe(loads);
  });
});

test('delayed effects still run before those of the next step of their actor', async () => {
  const ran: string[] = [];
  const gates = Promise.withResolvers<void>();
  const executors = {
    async tell({ count }: { count: number }, { id }: { id: string }) {
      ran.push(`${id}${count}`);
      if (count === 1) await gates.promise;
    },
    async shout() {
      ran.push('shout');
    },
  };
  const decide = (state: Counter, event: CounterEvent | TimerEvent) =>
    event.type === 'alarmed' ? { state, effects: [{ type: 'shout', params: null }], timers: {} } : counter.decide(state, event);
  host = new ActorHost<Counter, CounterEvent>(
    { store, clock: systemClock, random: seededRandom(1), ids: seededIds(seededRandom(2)), log: silentLog },
    { aggregate: { ...counter, decide }, executors, unhurried: new Set(['tell']) },
  );
  const ids = Array.from('bcdefghij');
  for (const id of ids) {
    await host.create(id, first, '', 'open');
    await host.send(id, { type: 'added', by: 1 }, 'c1');
  }
  expect(ran).toEqual(['b1', 'c1', 'd1', 'e1', 'f1', 'g1', 'h1', 'i1']);
  await host.send('j', { type: 'alarmed' }, 'c2');
  expect(ran.slice(8)).toEqual(['j1', 'shout']);
  gates.resolve();
  await host.idle();
  expect(store.outbox.size).toBe(0);
});

type Kind = ActorKind<Counter, CounterEvent>;

const decidesAsCounter = (state: Counter, event: CounterEvent | TimerEvent) => counter.decide(state, event);

const hostWith = (executors: Kind['executors'], more: Partial<Kind> = {}, decide: typeof counter.decide = decidesAsCounter) =>
  new ActorHost<Counter, CounterEvent>(
    { store, clock: systemClock, random: seededRandom(1), ids: seededIds(seededRandom(2)), log: silentLog },
    { aggregate: { ...counter, decide }, executors, ...more },
  );

/** Errors of the effects that are not repeated. */
const followUp = async (outcome: SendOutcome<Counter>) => (outcome.kind === 'applied' ? outcome.followUp : null);

describe('effects and timers survive their instance', () => {
  const pump = () => ({ store, clock: systemClock, log: silentLog, intervalMs: 10 });

  test('a failed effect stays in the outbox and the pump retries it', async () => {
    failures = 1;
    await host.send('a', { type: 'added', by: 3 }, 'c1');
    await host.idle();
    expect(told).toEqual([]);
    store.now += 60_000;
    await pumpOnce(pump(), newHost());
    expect(told).toEqual([3]);
    expect(store.outbox.size).toBe(0);
  });

  test('a failed effect of a type that is not repeated leaves the outbox, and the sender gets its error', async () => {
    const refusal = new Error('the phone is not in the room');
    host = hostWith({ tell: () => Promise.reject(refusal) }, { unrepeated: new Set(['tell']) });
    expect(await followUp(await host.send('a', { type: 'added', by: 3 }, 'c1'))).toEqual([refusal]);
    expect(store.outbox.size).toBe(0);
    host = hostWith({ tell: () => Promise.reject(refusal) });
    expect(await followUp(await host.send('a', { type: 'added', by: 3 }, 'c2'))).toEqual([]);
    expect(store.outbox.size).toBe(1);
  });

  test('finished effects are cleared while one that nobody waits for still runs, so that the pump repeats only that one', async () => {
    const gate = Promise.withResolvers<void>();
    const decide = (state: Counter, event: CounterEvent | TimerEvent) => {
      const decided = counter.decide(state, event);
      return decided && { ...decided, effects: [{ type: 'record', params: null }, ...decided.effects] };
    };
    host = hostWith({ record: () => gate.promise, tell: async () => undefined }, { unawaited: new Set(['record']) }, decide);
    const { promise: cleared, resolve } = Promise.withResolvers<void>();
    const clearEffects = store.clearEffects.bind(store);
    store.clearEffects = async effects => {
      await clearEffects(effects);
      resolve();
    };
    await host.send('a', { type: 'added', by: 3 }, 'c1');
    await cleared;
    expect([...store.outbox.keys()]).toEqual(['a|c1#0']);
    gate.resolve();
    await host.idle();
    expect(store.outbox.size).toBe(0);
  });

  test('effects of a removed actor are dropped', async () => {
    failures = 1;
    await host.send('a', { type: 'added', by: 3 }, 'c1');
    await host.idle();
    await host.remove('a');
    store.now += 60_000;
    await pumpOnce(pump(), host);
    expect(store.outbox.size).toBe(0);
    expect(told).toEqual([]);
  });

  test('a due timer fires once, whichever instance pumps', async () => {
    await host.send('a', { type: 'alarmed' }, 'c1');
    store.now += 999;
    await pumpOnce(pump(), host);
    expect((await host.find('a'))?.state.count).toBe(0);
    store.now += 1;
    await pumpOnce(pump(), host);
    await pumpOnce(pump(), newHost());
    expect((await host.find('a'))?.state.count).toBe(100);
  });

  test('a timer that is set again while it fires is kept', async () => {
    await host.send('a', { type: 'alarmed' }, 'c1');
    await host.send('a', { type: 'alarmed' }, 'c2');
    await store.clearTimers([{ key: 'a', timer: 'xstate.after.bell.counter', version: 2, setting: '' }]);
    store.now += 1_000;
    await pumpOnce(pump(), host);
    expect((await host.find('a'))?.state.count).toBe(100);
  });

  test('an unreadable actor does not hold up the timers and effects of others', async () => {
    await host.create('broken', first, '', 'open');
    await host.send('broken', { type: 'alarmed' }, 'b1');
    failures = 1;
    await host.send('broken', { type: 'added', by: 1 }, 'b2');
    await host.send('a', { type: 'alarmed' }, 'c1');
    failures += 1;
    await host.send('a', { type: 'added', by: 7 }, 'c2');
    await host.idle();
    const broken = store.actors.get('broken');
    if (broken) broken.snapshot = 'no JSON';
    store.now += 60_000;
    await pumpOnce(pump(), host);
    expect((await host.find('a'))?.state.count).toBe(107);
    expect(told).toContain(7);
  });
});
