import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { ActorHost } from '#host/actor-host.ts';
import type { Aggregate, Decision, TimerEvent } from '#host/aggregate.ts';
import { pumpOnce } from '#host/pumps.ts';
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

  test('an absent actor is absent, an existing one is not created again', async () => {
    expect(await host.send('b', { type: 'added', by: 1 }, 'c1')).toEqual({ kind: 'absent' });
    expect(await newHost().create('a', first, '', 'other')).toBe(false);
  });

  test('a lost race reloads and decides again on what is there now', async () => {
    store.beforeCommit = async () => {
      await newHost().send('a', { type: 'added', by: 10 }, 'theirs');
    };
    expect(await host.send('a', { type: 'added', by: 1 }, 'mine')).toMatchObject({ kind: 'applied', state: { count: 11 } });
  });

  test('what the caller has just found is not read again; what is no longer so is', async () => {
    const seen = (await host.find('a')) ?? undefined;
    const loads = store.loads;
    expect(await host.send('a', { type: 'added', by: 1 }, 'c1', seen)).toMatchObject({ kind: 'applied', state: { count: 1 }, version: 2 });
    expect(store.loads).toBe(loads);
    expect(await host.send('a', { type: 'added', by: 2 }, 'c2', seen)).toMatchObject({ kind: 'applied', state: { count: 3 }, version: 3 });
    expect((await host.send('a', { type: 'added', by: 2 }, 'c2', seen)).kind).toBe('duplicate');
    await host.remove('a');
    expect(await host.send('a', { type: 'added', by: 2 }, 'c3', seen)).toEqual({ kind: 'absent' });
  });

  test('what this host has just written is not read again, unless somebody else has changed it or it may refuse by throwing', async () => {
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

  test('what was read for an event that changed nothing is not read again for the next one', async () => {
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

  test('a refusal by what was found is decided again on what is there', async () => {
    const seen = { state: { count: 0 }, version: 1, meta: null };
    await host.send('a', { type: 'added', by: 4 }, 'c1');
    expect(await host.send('a', { type: 'nothing' }, 'c2', seen)).toEqual({ kind: 'ignored', state: { count: 4 }, version: 2 });
  });

  test('events of one actor run in order, 50 at once lose none', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => host.send('a', { type: 'added', by: 1 }, `c${index}`)));
    expect((await host.find('a'))?.state.count).toBe(50);
  });

  test('a lost reply repeats the commit with the same command id: applied once, effects run', async () => {
    store.loseReplies = 1;
    expect((await host.send('a', { type: 'added', by: 5 }, 'c1')).kind).toBe('applied');
    await host.idle();
    expect((await host.find('a'))?.state.count).toBe(5);
    expect(told).toEqual([5]);
  });

  test('a command that another instance committed first is left to it: its first result, no effects, no delta of ours', async () => {
    store.beforeCommit = async () => {
      failures = 1;
      await newHost().send('a', { type: 'added', by: 5 }, 'c1');
    };
    expect(await host.send('a', { type: 'added', by: 5 }, 'c1')).toEqual({ kind: 'duplicate', state: { count: 5 }, version: 2 });
    await host.idle();
    expect(committed).toEqual([1, 2]);
    expect(told).toEqual([]);
    // The other's effect failed: it is still the outbox's to repeat.
    expect([...store.outbox.keys()]).toEqual(['a|c1#0']);
  });

  test.each(['after the repeat', 'before the repeat'])(
    'a command that was applied before, and whose repeat lost its reply, is no commit: nothing goes on from it, also with another one %s',
    async when => {
      store.isWiped = true;
      await host.create('b', first, '', 'open');
      await host.send('b', { type: 'added', by: 1 }, 'c1');
      const comesAnother = async () => void (await newHost().send('b', { type: 'added', by: 10 }, 'theirs'));
      // Between the two tries.
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

  test('an actor that another instance made by the same command is not made again', async () => {
    store.beforeCommit = async () => void (await newHost().create('b', first, '', 'open'));
    expect(await host.create('b', first, '', 'open')).toBe(false);
    expect(committed).toEqual([1, 1]);
  });

  test('a store that stays away is told to the caller, and the repeated command settles it', async () => {
    store.loseReplies = 3;
    await expect(host.send('a', { type: 'added', by: 5 }, 'c1')).rejects.toMatchObject({ code: 'CACHE_UNAVAILABLE' });
    expect((await host.send('a', { type: 'added', by: 5 }, 'c1')).kind).toBe('duplicate');
    expect((await host.find('a'))?.state.count).toBe(5);
  });
});

describe('what hurries nobody waits for what happens next to its actor', () => {
  test('it is one commit with the next event, before it, and each sender learns its own outcome', async () => {
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

  test('a command that comes twice while it waits is applied once', async () => {
    const whispers = [host.send('a', { type: 'whispered' }, 'w1'), host.send('a', { type: 'whispered' }, 'w1')];
    expect((await Promise.all(whispers)).map(({ kind }) => kind)).toEqual(['applied', 'duplicate']);
    expect((await host.find('a'))?.state.count).toBe(0.5);
  });

  test('alone it is written after a moment, and before the drain ends', async () => {
    expect(await host.send('a', { type: 'whispered' }, 'w1')).toMatchObject({ kind: 'applied', version: 2 });
    const last = host.send('a', { type: 'whispered' }, 'w2');
    await host.idle();
    expect((await host.find('a'))?.version).toBe(3);
    expect((await last).kind).toBe('applied');
  });

  test('what another instance has applied of them meanwhile is not applied again, and the rest is', async () => {
    const whisper = host.send('a', { type: 'whispered' }, 'w1');
    store.beforeCommit = async () => void (await newHost().send('a', { type: 'whispered' }, 'w1'));
    expect(await host.send('a', { type: 'added', by: 2 }, 'c1')).toMatchObject({ kind: 'applied', state: { count: 2.5 } });
    expect((await whisper).kind).toBe('duplicate');
    expect((await host.find('a'))?.state.count).toBe(2.5);
  });

  test('a lost race is decided again on what the store gave with its refusal, without another reading', async () => {
    store.isWiped = true;
    await host.create('b', first, '', 'open');
    await newHost().send('b', { type: 'added', by: 10 }, 'theirs');
    const loads = store.loads;
    expect(await host.send('b', { type: 'added', by: 1 }, 'c1')).toMatchObject({ kind: 'applied', state: { count: 11 } });
    expect(store.loads).toBe(loads);
  });
});

test('effects that make way for other actors still come before those of the next step of their own', async () => {
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

describe('effects and timers survive their instance', () => {
  const pump = () => ({ store, clock: systemClock, log: silentLog, intervalMs: 10 });

  test('a failed effect stays in the outbox and the pump repeats it', async () => {
    failures = 1;
    await host.send('a', { type: 'added', by: 3 }, 'c1');
    await host.idle();
    expect(told).toEqual([]);
    store.now += 60_000;
    await pumpOnce(pump(), newHost());
    expect(told).toEqual([3]);
    expect(store.outbox.size).toBe(0);
  });

  test('effects of a removed actor are forgotten', async () => {
    failures = 1;
    await host.send('a', { type: 'added', by: 3 }, 'c1');
    await host.idle();
    await host.remove('a');
    store.now += 60_000;
    await pumpOnce(pump(), host);
    expect(store.outbox.size).toBe(0);
    expect(told).toEqual([]);
  });

  test('a due timer fires once, whoever pumps', async () => {
    await host.send('a', { type: 'alarmed' }, 'c1');
    store.now += 999;
    await pumpOnce(pump(), host);
    expect((await host.find('a'))?.state.count).toBe(0);
    store.now += 1;
    await pumpOnce(pump(), host);
    await pumpOnce(pump(), newHost());
    expect((await host.find('a'))?.state.count).toBe(100);
  });

  test('a timer set anew during its firing stays', async () => {
    await host.send('a', { type: 'alarmed' }, 'c1');
    await host.send('a', { type: 'alarmed' }, 'c2');
    await store.clearTimers([{ key: 'a', timer: 'xstate.after.bell.counter', version: 2, setting: '' }]);
    store.now += 1_000;
    await pumpOnce(pump(), host);
    expect((await host.find('a'))?.state.count).toBe(100);
  });

  test('an actor that cannot be read holds up nobody else: timers and effects of the others go on', async () => {
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
