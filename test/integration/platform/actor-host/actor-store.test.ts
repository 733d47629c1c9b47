import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ActorCommit, type ActorStore, JOURNAL_LIMITS, type JournalReader } from '#platform/actor-host/actor-store.ts';
import { ACTOR_STORES, type OpenActorStore } from '#test/support/stores/both-actor-stores.ts';
import { waitUntil } from '#test/support/wait-until.ts';

function commit(overrides: Partial<ActorCommit> = {}): ActorCommit {
  return { expectedVersion: 0, commandId: randomUUID(), snapshot: '{"v":1}', timers: {}, effects: [], effectLeaseMs: 60_000, ...overrides };
}

describe.each(Object.entries(ACTOR_STORES))('store of call actors: %s', (_name, open) => {
  let opened: OpenActorStore;
  let store: ActorStore & JournalReader;

  beforeAll(async () => {
    opened = await open();
    store = opened.store;
  });
  afterAll(() => opened.close());

  describe('the commit is the fence [A3]', () => {
    test('writes only under the expected version', async () => {
      const id = randomUUID();
      const created = await store.commit(id, commit({ meta: '{"campaignId":5}' }));
      expect(created).toEqual({ kind: 'committed', version: 1, born: (await store.load(id))?.born });
      expect(await store.commit(id, commit())).toEqual({ kind: 'conflict', now: await store.load(id) });
      expect(await store.commit(randomUUID(), commit({ expectedVersion: 1 }))).toEqual({ kind: 'conflict' });
      expect(await store.commit(id, commit({ expectedVersion: 1, snapshot: '{"v":2}' }))).toEqual({ kind: 'committed', version: 2 });
      expect(await store.load(id)).toMatchObject({ version: 2, snapshot: '{"v":2}', meta: '{"campaignId":5}' });
    });

    test('of 20 concurrent commits one wins', async () => {
      const id = randomUUID();
      await store.commit(id, commit());
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.commit(id, commit({ expectedVersion: 1 }))));
      expect(outcomes.filter(outcome => outcome.kind === 'committed')).toHaveLength(1);
    });

    test('a repeated command is a duplicate, whatever version it expects; the last 8 are remembered', async () => {
      const id = randomUUID();
      const first = commit();
      await store.commit(id, first);
      expect(await store.commit(id, first)).toEqual({ kind: 'duplicate' });
      for (let version = 1; version <= 8; version++) await store.commit(id, commit({ expectedVersion: version }));
      expect((await store.load(id))?.commandIds).toHaveLength(8);
      expect(await store.commit(id, first)).toMatchObject({ kind: 'conflict' });
    });

    test('several commands are one commit: all are remembered, and if some were applied before nothing is written', async () => {
      const id = randomUUID();
      await store.commit(id, commit({ commandId: 'open' }));
      const both = commit({ expectedVersion: 1, earlier: ['created'], commandId: 'rang', snapshot: '{"v":2}' });
      expect(await store.commit(id, both)).toEqual({ kind: 'committed', version: 2 });
      expect((await store.load(id))?.commandIds).toEqual(['open', 'created', 'rang']);
      expect(await store.commit(id, both)).toEqual({ kind: 'duplicate' });
      const half = commit({ expectedVersion: 2, earlier: ['created'], commandId: 'answered', snapshot: '{"v":3}' });
      expect(await store.commit(id, half)).toMatchObject({ kind: 'conflict', now: { version: 2, snapshot: '{"v":2}' } });
    });

    test('a decision from before a wipe does not fit a new actor, whatever its version', async () => {
      const id = randomUUID();
      await store.commit(id, commit());
      const before = await store.load(id);
      await opened.empty();
      await store.commit(id, commit({ snapshot: '{"v":"anew"}' }));
      const born = before?.born ?? 'none';
      expect(await store.commit(id, commit({ expectedVersion: 1, born, snapshot: '{"v":"late"}' }))).toMatchObject({ kind: 'conflict' });
      const after = await store.load(id);
      expect(after).toMatchObject({ version: 1, snapshot: '{"v":"anew"}', born: expect.not.stringMatching(`^${born}$`) });
      expect(await store.commit(id, commit({ expectedVersion: 1, born: after?.born ?? 'none' }))).toEqual({
        kind: 'committed',
        version: 2,
      });
    });

    test('an unknown actor is null', async () => {
      expect(await store.load(randomUUID())).toBeNull();
    });
  });

  describe('timers live with the snapshot [A3]', () => {
    test("polling this process's own timers finds a due one", async () => {
      const id = randomUUID();
      await store.commit(id, commit({ timers: { soon: 20, later: 3_600_000 } }));
      const own = async () => (await store.takeDueTimers(1_000, 60_000, 'own')).filter(timer => timer.key === id);
      await waitUntil('the timer to be due', async () => (await own()).some(({ timer }) => timer === 'soon'));
      expect(await own()).toEqual([]);
    });

    test('a due timer is taken once per lease and cleared after firing', async () => {
      const id = randomUUID();
      await store.commit(id, commit({ timers: { 'xstate.after.grace.call': 0 } }));
      const mine = async () => (await store.takeDueTimers(1_000, 60_000)).filter(timer => timer.key === id);
      const taken = await mine();
      expect(taken).toEqual([{ key: id, timer: 'xstate.after.grace.call', version: 1, setting: expect.any(String) }]);
      expect(await mine()).toEqual([]);
      await store.clearTimers(taken);
      await store.remove(id);
    });

    test('a timer set again replaces the old one, a cancelled one is gone', async () => {
      const id = randomUUID();
      await store.commit(id, commit({ timers: { a: 0, b: 0 } }));
      await store.commit(id, commit({ expectedVersion: 1, timers: { a: 0, b: null } }));
      const taken = (await store.takeDueTimers(1_000, 60_000)).filter(timer => timer.key === id);
      expect(taken).toEqual([{ key: id, timer: 'a', version: 2, setting: expect.any(String) }]);
      await store.remove(id);
    });

    test('a taken timer that is never cleared comes back after its lease', async () => {
      const id = randomUUID();
      await store.commit(id, commit({ timers: { a: 0 } }));
      await store.takeDueTimers(1_000, 1);
      await waitUntil('the lease to end', async () => (await store.takeDueTimers(1_000, 60_000)).some(timer => timer.key === id));
      await store.remove(id);
    });

    test('clearing a timer taken before a wipe leaves a timer of the same version that was set afterwards', async () => {
      const id = randomUUID();
      const mine = async () => (await store.takeDueTimers(1_000, 1)).filter(timer => timer.key === id);
      await store.commit(id, commit({ timers: { a: 0 } }));
      const before = await mine();
      await opened.empty();
      await store.commit(id, commit({ timers: { a: 0 } }));
      await store.clearTimers(before);
      await waitUntil('the later setting to be due', async () => (await mine()).length === 1);
      await store.remove(id);
    });

    test('removing an actor removes its timers', async () => {
      const id = randomUUID();
      await store.commit(id, commit({ timers: { a: 0 } }));
      await store.remove(id);
      expect((await store.takeDueTimers(1_000, 60_000)).some(timer => timer.key === id)).toBe(false);
      expect(await store.load(id)).toBeNull();
    });
  });

  describe('the journal is written with the commit [D14.9]', () => {
    test('an entry stands under the version of its commit, and no refused commit leaves one', async () => {
      const id = randomUUID();
      const first = commit({ journal: '["b",1,[],{"v":1}]' });
      await store.commit(id, first);
      await store.commit(id, first);
      await store.commit(id, commit({ journal: '["b",1,[["lost"]]]' }));
      for (let version = 1; version < 12; version++)
        await store.commit(
          id,
          commit({ expectedVersion: version, snapshot: `{"v":${version + 1}}`, journal: `["b",1,[["c${version + 1}"]]]` }),
        );
      const journal = await store.readJournal(id);
      expect(journal).toMatchObject({ missing: 0, snapshot: '{"v":12}' });
      expect(journal?.entries.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(journal?.entries.at(-1)).toEqual({ version: 12, at: expect.any(Number), body: '["b",1,[["c12"]]]' });
      expect(Math.abs((journal?.entries[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000);
      await store.remove(id);
      expect(await store.readJournal(id)).toBeNull();
    });

    test('what is beyond its limit of bytes is counted, and the actor goes on', async () => {
      const id = randomUUID();
      const half = 'x'.repeat(JOURNAL_LIMITS.bytes / 2);
      for (let version = 0; version < 4; version++)
        await store.commit(id, commit({ expectedVersion: version, snapshot: `{"v":${version}}`, journal: half }));
      const journal = await store.readJournal(id);
      expect(journal).toMatchObject({ missing: 2, snapshot: '{"v":3}' });
      expect(journal?.entries.map(({ version }) => version)).toEqual([1, 2]);
    });

    test('an actor without a journal has an empty one', async () => {
      const id = randomUUID();
      await store.commit(id, commit());
      expect(await store.readJournal(id)).toEqual({ entries: [], missing: 0, snapshot: '{"v":1}' });
    });
  });

  describe('the outbox is written with the commit', () => {
    test('effects are leased to their committer, then to any instance, until cleared', async () => {
      const id = randomUUID();
      await store.commit(id, commit({ effects: [{ effectId: 'x#0', body: '{"type":"a"}' }], effectLeaseMs: 1 }));
      let taken: unknown[] = [];
      await waitUntil('the lease to end', async () => {
        taken = (await store.takeDueEffects(1_000, 1)).filter(effect => effect.key === id);
        return taken.length > 0;
      });
      expect(taken).toEqual([{ key: id, effectId: 'x#0', body: '{"type":"a"}' }]);
      await store.clearEffects([{ key: id, effectId: 'x#0' }]);
      await waitUntil('the lease to end', async () => (await store.takeDueEffects(1_000, 1)).every(effect => effect.key !== id));
    });
  });
});
