import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RuntimePool } from '#runtimes/runtime-pool.ts';
import type { ReserveRequest, SlotRegistry } from '#slots/slot-registry.ts';
import { type RuntimeFact } from '#runtimes/decisions/runtime-care.ts';
import { poolMember } from '#test/support/pool-members.ts';
import { type RegistryMaker, REGISTRIES } from '#test/support/stores/both-registries.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const GONE_MS = 300;
const MAX_RUNTIMES = 500;
const BUSINESS = 'demo';
const ANY = { businessCode: BUSINESS, resumes: false, tried: [] };
const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

function ask(overrides: Partial<ReserveRequest> = {}): ReserveRequest {
  return {
    campaignId: 1,
    weight: 1,
    campaignMax: 1_000,
    callIntervalMs: 0,
    runtime: { businessCode: BUSINESS, isOpenEnded: false },
    lines: [{ lineId: 7, max: 1_000, mode: 'single_shared', numbers: [], sharedNumber: '02100000000' }],
    cells: [{ cellId: 'cell-1', max: 0, maxPerSecond: 1_000 }],
    requestIds: ids(1),
    ...overrides,
  };
}

describe.each(Object.entries(REGISTRIES))('runtime pool: %s [A5]', (_name, open) => {
  let registries: RegistryMaker;
  let registry: SlotRegistry;
  let pool: RuntimePool;

  beforeAll(async () => {
    registries = await open();
  });
  afterAll(() => registries.close());
  beforeEach(async () => {
    registry = await registries.make();
    pool = registries.pool();
  });

  /** Places held at each runtime. */
  const calls = async () => Object.fromEntries((await pool.list()).map(each => [each.runtimeId, each.calls]));
  const join = (...runtimeIds: string[]) => Promise.all(runtimeIds.map(runtimeId => pool.beat(poolMember({ runtimeId }))));
  /** One call with its place where its dial took it. */
  async function dial(): Promise<string> {
    const [requestId = ''] = (await registry.reserve(ask())).grants.map(grant => grant.requestId);
    return requestId;
  }
  /** Calls with slots, and without a place at a runtime. */
  async function slots(count: number): Promise<string[]> {
    const { runtime: _, ...any } = ask({ requestIds: ids(count) });
    return (await registry.reserve(any)).grants.map(grant => grant.requestId);
  }
  async function slot(): Promise<string> {
    const [requestId = ''] = await slots(1);
    return requestId;
  }
  const untilGone = (runtimeId: string) =>
    waitUntil(`${runtimeId} to be gone`, async () => (await pool.list()).some(each => each.runtimeId === runtimeId && each.isGone));

  describe('membership', () => {
    test('a runtime that joins is new, and known while it beats, with the data of its last beat', async () => {
      expect(await pool.beat(poolMember())).toBe('new');
      const member = poolMember({ active: 3, maxCalls: 20, businessCodes: ['a', 'b'], resumes: true });
      expect(await pool.beat(member)).toBe('known');
      const told = { ...member, isGone: false, aside: null, calls: 0, seenAt: expect.any(Number), ageMs: expect.any(Number) };
      expect([await pool.size(), await pool.list()]).toEqual([1, [told]]);
    });

    test('one that misses its beats is gone, gets no calls, and is new when it comes back', async () => {
      registry = await registries.make(undefined, GONE_MS);
      pool = registries.pool();
      await pool.beat(poolMember());
      await untilGone('runtime-1');
      expect((await registry.reserve(ask())).refusal).toBe('no_runtime');
      const [gone] = await pool.list();
      expect(gone?.ageMs).toBeGreaterThanOrEqual(GONE_MS);
      expect(await pool.beat(poolMember())).toBe('new');
    });

    test('one that deregisters is gone at once; an unknown one that does is ignored', async () => {
      await pool.beat(poolMember());
      await pool.bye('runtime-1');
      await pool.bye('stranger');
      expect([await pool.size(), await pool.list()]).toMatchObject([1, [{ runtimeId: 'runtime-1', isGone: true }]]);
      expect(await pool.beat(poolMember())).toBe('new');
    });

    test(`accepts ${MAX_RUNTIMES}; those stay`, async () => {
      await join(...Array.from({ length: MAX_RUNTIMES }, (_none, index) => `r-${index}`));
      expect(await join('one-more', 'r-7')).toEqual(['full', 'known']);
    });
  });

  describe('each dial takes a place', () => {
    test('at the runtime with the most capacity, and no more than there are', async () => {
      await pool.beat(poolMember({ runtimeId: 'small', maxCalls: 3 }));
      await pool.beat(poolMember({ runtimeId: 'large', maxCalls: 5 }));
      await registry.reserve(ask({ requestIds: ids(2) }));
      expect(await calls()).toEqual({ small: 0, large: 2 });
      await pool.beat(poolMember({ runtimeId: 'small', maxCalls: 6 }));
      await registry.reserve(ask({ requestIds: ids(2) }));
      expect(await calls()).toEqual({ small: 2, large: 2 });
      const result = await registry.reserve(ask({ requestIds: ids(9) }));
      expect([result.grants.length, result.refusal]).toEqual([7, 'runtime_full']);
      expect(await calls()).toEqual({ small: 6, large: 5 });
    });

    test('calls that a runtime reports take places too, whichever count is higher', async () => {
      await pool.beat(poolMember({ maxCalls: 5, active: 3 }));
      expect((await registry.reserve(ask({ requestIds: ids(5) }))).grants).toHaveLength(2);
      expect((await registry.reserve(ask())).grants).toHaveLength(1);
      await pool.beat(poolMember({ maxCalls: 5, active: 5 }));
      expect((await registry.reserve(ask())).refusal).toBe('runtime_full');
    });

    test('the same reservation again takes no second one', async () => {
      await join('a');
      const again = ask();
      await registry.reserve(again);
      expect((await registry.reserve(again)).grants).toHaveLength(1);
      expect(await calls()).toEqual({ a: 1 });
    });

    test.each([
      ['nobody', []],
      ['one that drains', [poolMember({ isDraining: true })]],
      ['one of other businesses', [poolMember({ businessCodes: ['other'] })]],
    ])('no_runtime with %s', async (_who, members) => {
      for (const member of members) await pool.beat(member);
      expect(await registry.reserve(ask())).toEqual({ grants: [], refusal: 'no_runtime', retryInMs: null, yieldTo: [] });
    });

    test('runtime_full when one is registered and has no place', async () => {
      await pool.beat(poolMember({ maxCalls: 0 }));
      await pool.beat(poolMember({ runtimeId: 'drains', isDraining: true }));
      expect(await registry.reserve(ask())).toEqual({ grants: [], refusal: 'runtime_full', retryInMs: null, yieldTo: [] });
    });

    test('at a runtime that accepts the business', async () => {
      await pool.beat(poolMember({ runtimeId: 'other', maxCalls: 100, businessCodes: ['other'] }));
      await pool.beat(poolMember({ runtimeId: 'own', maxCalls: 2, businessCodes: ['x', BUSINESS] }));
      expect((await registry.reserve(ask({ requestIds: ids(3) }))).grants).toHaveLength(2);
      expect(await calls()).toEqual({ other: 0, own: 2 });
    });

    test('without a limit while an unregistered runtime accepts calls', async () => {
      const openEnded = { businessCode: BUSINESS, isOpenEnded: true };
      expect((await registry.reserve(ask({ runtime: openEnded, requestIds: ids(30) }))).grants).toHaveLength(30);
      await pool.beat(poolMember({ maxCalls: 2 }));
      expect((await registry.reserve(ask({ runtime: openEnded, requestIds: ids(5) }))).grants).toHaveLength(5);
      expect(await calls()).toEqual({ 'runtime-1': 2 });
    });

    test('none where runtimes find their calls by themselves', async () => {
      await join('a');
      const { runtime: _none, ...free } = ask();
      expect((await registry.reserve(free)).grants).toHaveLength(1);
      expect(await calls()).toEqual({ a: 0 });
    });

    test('is released with its slot, and with an unconfirmed reservation', async () => {
      await pool.beat(poolMember({ maxCalls: 1 }));
      const requestId = await dial();
      expect((await registry.reserve(ask())).refusal).toBe('runtime_full');
      await registry.release([requestId]);
      expect(await calls()).toEqual({ 'runtime-1': 0 });
      registry = await registries.make(0);
      pool = registries.pool();
      await pool.beat(poolMember({ maxCalls: 1 }));
      const lapsed = await dial();
      await waitUntil('the lease to end', async () => (await registry.purgeExpired(10)).includes(lapsed));
      expect(await calls()).toEqual({ 'runtime-1': 0 });
    });
  });

  describe('an answered call', () => {
    test("goes to the runtime of its dial's place, even when that one drains or others have more capacity", async () => {
      await join('a');
      const requestId = await dial();
      await pool.beat(poolMember({ runtimeId: 'a', isDraining: true, maxCalls: 1 }));
      await pool.beat(poolMember({ runtimeId: 'b', maxCalls: 100 }));
      expect(await pool.pick(requestId, ANY)).toBe('a');
      expect(await calls()).toEqual({ a: 1, b: 0 });
    });

    test('goes on to a runtime that was not tried, with its place; to none when all were', async () => {
      await join('a', 'b');
      const requestId = await dial();
      const first = (await pool.pick(requestId, ANY)) ?? '';
      const second = (await pool.pick(requestId, { ...ANY, tried: [first] })) ?? '';
      expect([first, second].toSorted()).toEqual(['a', 'b']);
      expect(await calls()).toEqual({ [first]: 0, [second]: 1 });
      expect(await pool.pick(requestId, { ...ANY, tried: ['a', 'b'] })).toBeNull();
      expect(await calls()).toEqual({ a: 0, b: 0 });
    });

    test('without a place goes to the most capacity, among those that accept new calls of the business', async () => {
      await pool.beat(poolMember({ runtimeId: 'drains', maxCalls: 900, isDraining: true }));
      await pool.beat(poolMember({ runtimeId: 'other', maxCalls: 800, businessCodes: ['other'] }));
      await pool.beat(poolMember({ runtimeId: 'full', maxCalls: 700, active: 700 }));
      await pool.beat(poolMember({ runtimeId: 'gone', maxCalls: 600 }));
      await pool.bye('gone');
      await pool.beat(poolMember({ runtimeId: 'small', maxCalls: 2 }));
      await pool.beat(poolMember({ runtimeId: 'large', maxCalls: 3 }));
      expect(await pool.pick(await slot(), ANY)).toBe('large');
      await pool.beat(poolMember({ runtimeId: 'small', maxCalls: 4 }));
      expect(await pool.pick(await slot(), ANY)).toBe('small');
      expect(await calls()).toMatchObject({ large: 1, small: 1 });
    });

    test('leaves a runtime that is gone for another', async () => {
      await join('a');
      const requestId = await dial();
      await pool.bye('a');
      await join('b');
      expect(await pool.pick(requestId, ANY)).toBe('b');
      expect(await calls()).toEqual({ a: 0, b: 1 });
    });

    test('that another runtime has left goes only to one that resumes calls', async () => {
      await pool.beat(poolMember({ runtimeId: 'large', maxCalls: 100 }));
      expect(await pool.pick(randomUUID(), { ...ANY, resumes: true })).toBeNull();
      await pool.beat(poolMember({ runtimeId: 'resumes', maxCalls: 1, resumes: true }));
      expect(await pool.pick(randomUUID(), { ...ANY, resumes: true })).toBe('resumes');
    });
  });

  test('that has ended gets no further place, and loses its own', async () => {
    await join('a', 'b');
    const [held, offered] = [await dial(), await dial()];
    await registry.release([held, offered]);
    await pool.hold([{ requestId: held, runtimeId: 'a' }]);
    expect(await pool.pick(offered, ANY)).not.toBeNull();
    expect(await calls()).toEqual({ a: 0, b: 0 });
  });

  describe('after a loss of the cache', () => {
    test('a call is recorded at its runtime, which has some time to register again', async () => {
      registry = await registries.make(undefined, GONE_MS);
      pool = registries.pool();
      const requestId = await slot();
      await pool.hold([{ requestId, runtimeId: 'unheard' }]);
      expect(await pool.list()).toMatchObject([{ runtimeId: 'unheard', isDraining: true, maxCalls: 0, calls: 1 }]);
      await untilGone('unheard');
      expect(await pool.lost(10)).toMatchObject([{ runtimeId: 'unheard', requestIds: [requestId] }]);
    });

    test('the report of a runtime stands, and the call leaves its earlier runtime', async () => {
      await join('a', 'b');
      const requestId = await dial();
      for (const runtimeId of ['a', 'b', 'b']) await pool.hold([{ requestId, runtimeId }]);
      expect(await calls()).toEqual({ a: 0, b: 1 });
      expect(await pool.list()).toMatchObject([{ isDraining: false }, { isDraining: false }]);
    });

    test('a call has its place while the registry is COLD, and keeps it when its slot is back', async () => {
      await registries.wipe();
      expect(await registry.isCold()).toBe(true);
      await pool.beat(poolMember({ runtimeId: 'a', maxCalls: 2 }));
      const [held = '', picked = '', ended = ''] = ids(3);
      await pool.hold([{ requestId: held, runtimeId: 'a' }]);
      expect(await pool.pick(picked, ANY)).toBe('a');
      await pool.hold([{ requestId: ended, runtimeId: 'a' }]);
      await registry.release([ended]);
      expect(await calls()).toEqual({ a: 2 });
      await registry.startRebuild('again');
      const slot = { campaignId: 1, lineId: 7, number: null, cellId: 'cell-1', needsMonitor: false };
      await registry.restore('again', [
        { ...slot, requestId: held },
        { ...slot, requestId: picked },
      ]);
      expect(await registry.open('again')).toBe(true);
      expect(await calls()).toEqual({ a: 2 });
      expect((await registry.reserve(ask())).refusal).toBe('runtime_full');
      expect(await pool.pick(held, ANY)).toBe('a');
      await registry.release([held]);
      expect(await calls()).toEqual({ a: 1 });
      expect((await registry.reserve(ask())).grants).toHaveLength(1);
    });
  });

  describe('a lost runtime', () => {
    test('is reported with its calls until it has none, and then forgotten', async () => {
      await join('a', 'there');
      const [first = '', second = ''] = await slots(2);
      await pool.hold([first, second].map(requestId => ({ requestId, runtimeId: 'a' })));
      expect(await pool.lost(10)).toEqual([]);
      await pool.bye('a');
      const [lost] = await pool.lost(10);
      expect(lost).toMatchObject({ runtimeId: 'a', isGone: true, calls: 2 });
      expect(lost?.requestIds.toSorted()).toEqual([first, second].toSorted());
      const [some] = await pool.lost(1);
      expect([some?.calls, some?.requestIds.length]).toEqual([2, 1]);
      expect(await pool.pick(first, { ...ANY, tried: ['a'] })).toBe('there');
      await registry.release([second]);
      expect(await pool.lost(10)).toMatchObject([{ runtimeId: 'a', calls: 0, requestIds: [] }]);
      expect(await pool.lost(10)).toEqual([]);
      expect(await calls()).toEqual({ there: 1 });
    });

    test('comes back with the calls that are still its own', async () => {
      await join('a');
      await pool.hold([{ requestId: await slot(), runtimeId: 'a' }]);
      await pool.bye('a');
      expect(await join('a')).toEqual(['new']);
      expect(await pool.lost(10)).toEqual([]);
      expect(await calls()).toEqual({ a: 1 });
    });
  });

  describe('a runtime that does not serve customers gets no calls [I9]', () => {
    const note = (fact: RuntimeFact) => pool.note(fact, RUNTIME_CARE);
    const aside = async () => Object.fromEntries((await pool.list()).map(each => [each.runtimeId, each.aside]));

    test('one that leaves three consecutive starts unanswered gets no calls until it answers', async () => {
      await join('deaf');
      const requestId = await dial();
      const unanswered = { kind: 'unanswered', runtimeId: 'deaf' } as const;
      expect([await note(unanswered), await note(unanswered)]).toEqual([null, null]);
      expect(await note({ kind: 'answered', runtimeId: 'deaf' })).toBeNull();
      expect([await note(unanswered), await note(unanswered)]).toEqual([null, null]);
      expect((await registry.reserve(ask())).grants).toHaveLength(1);
      expect([await note(unanswered), await note(unanswered)]).toEqual(['aside', null]);
      expect(await aside()).toEqual({ deaf: 'unanswered' });
      expect((await registry.reserve(ask())).refusal).toBe('no_runtime');
      expect(await pool.pick(requestId, ANY)).toBeNull();
      // A beat is not an answer to a start.
      await join('deaf', 'honest');
      expect(await pool.pick(requestId, ANY)).toBe('honest');
      expect(await note({ kind: 'answered', runtimeId: 'deaf' })).toBe('back');
      expect(await aside()).toEqual({ deaf: null, honest: null });
    });

    test('one that accepts three consecutive calls and reports nothing gets none for a while, whatever it answers', async () => {
      await join('mute');
      const silent = { kind: 'silent', runtimeId: 'mute' } as const;
      await note(silent);
      await note({ kind: 'spoke', runtimeId: 'mute', businessCode: BUSINESS });
      expect([await note(silent), await note(silent), await note(silent)]).toEqual([null, null, 'aside']);
      expect(await note({ kind: 'answered', runtimeId: 'mute' })).toBeNull();
      expect(await aside()).toEqual({ mute: 'silent' });
      expect(await note({ kind: 'spoke', runtimeId: 'mute', businessCode: BUSINESS })).toBe('back');
      expect((await registry.reserve(ask())).grants).toHaveLength(1);
    });

    test('an unknown runtime leaves no state, and the state of a lost one goes with it', async () => {
      for (const runtimeId of ['stranger', 'a']) {
        if (runtimeId === 'a') await join('a');
        for (let times = 0; times < 3; times++) await note({ kind: 'unanswered', runtimeId });
      }
      await join('stranger');
      expect(await aside()).toEqual({ stranger: null, a: 'unanswered' });
      await pool.bye('a');
      await pool.lost(10);
      await join('a');
      expect(await aside()).toEqual({ stranger: null, a: null });
    });

    test('a business whose customers are not served three times is not dialled, even with an unlimited runtime', async () => {
      await join('a');
      const unserved = { kind: 'unserved', businessCode: BUSINESS } as const;
      await note(unserved);
      expect(await note({ kind: 'spoke', runtimeId: 'a', businessCode: BUSINESS })).toBeNull();
      expect([await note(unserved), await note(unserved), await note(unserved), await note(unserved)]).toEqual([
        null,
        null,
        'closed',
        null,
      ]);
      expect(await pool.closedBusinesses()).toEqual([BUSINESS]);
      for (const isOpenEnded of [false, true])
        expect((await registry.reserve(ask({ runtime: { businessCode: BUSINESS, isOpenEnded } }))).refusal).toBe('no_runtime');
      expect((await registry.reserve(ask({ runtime: { businessCode: 'other', isOpenEnded: false } }))).grants).toHaveLength(1);
      expect(await note({ kind: 'spoke', runtimeId: null, businessCode: BUSINESS })).toBe('open');
      expect([await pool.closedBusinesses(), (await registry.reserve(ask())).grants.length]).toEqual([[], 1]);
    });
  });
});
