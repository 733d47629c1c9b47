import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { redisBreakerStore } from '#dialling/redis/breaker-store.ts';
import { connectRedis, type RedisLink } from '#adapters/redis/client.ts';
import type { BreakerStore } from '#ports/breaker-store.ts';
import { afterEnds, BREAKER_DEFAULTS, CLOSED_BREAKER } from '#rules/breaker.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';

let fresh: FreshRedis;
let links: RedisLink[];
let stores: BreakerStore[];

beforeAll(async () => {
  fresh = await freshRedis();
  const connect = () => connectRedis({ url: fresh.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  links = [await connect(), await connect(), await connect()];
  stores = links.map(link => redisBreakerStore(link, { lifeMs: 60_000 }));
});
afterAll(async () => {
  for (const link of links) await link.close();
  await fresh.release();
});
beforeEach(async () => {
  await links[0]?.run(client => client.flushdb());
});

const failOnce = (store: BreakerStore, requestId: string) =>
  store.change(7, (breaker, at) => afterEnds(breaker, [{ requestId, outcome: 'failed', cause: 'GATEWAY_DOWN' }], at, BREAKER_DEFAULTS));

test('instances that change it at once lose nothing, and one of them sees it open', async () => {
  const changes = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const store = stores[index % 3];
      if (!store) throw new Error('no store');
      for (;;) {
        try {
          return await failOnce(store, `r${index}`);
        } catch {
          // Twenty at the same instant overtake each other more often than the store bears; the next round wins.
        }
      }
    }),
  );
  expect(changes.filter(({ before, after }) => before.kind === 'closed' && after.kind === 'open')).toHaveLength(1);
  const [store] = stores;
  const { breaker } = (await store?.read(7)) ?? { breaker: CLOSED_BREAKER };
  expect(breaker).toMatchObject({ kind: 'open', report: { dials: 20, failures: 20, causes: { GATEWAY_DOWN: 20 } } });
});

test('a lost cache closes it [A3]', async () => {
  const [store] = stores;
  if (!store) throw new Error('no store');
  for (let index = 0; index < 20; index++) await failOnce(store, `r${index}`);
  expect((await store.read(7)).breaker.kind).toBe('open');
  await links[0]?.run(client => client.flushdb());
  expect((await store.read(7)).breaker).toEqual(CLOSED_BREAKER);
});

test('what the decision leaves alone is not written', async () => {
  const [store] = stores;
  const { after, before } = (await store?.change(7, breaker => breaker)) ?? {};
  expect(after).toBe(before);
  expect(await links[0]?.run(client => client.dbsize())).toBe(0);
});
