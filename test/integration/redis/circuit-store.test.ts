import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { redisCircuitStore } from '#dialling/redis/circuit-store.ts';
import { connectRedis, type RedisLink } from '#adapters/redis/client.ts';
import type { CircuitStore } from '#ports/circuit-store.ts';
import { afterEnds, CIRCUIT_DEFAULTS, CLOSED_CIRCUIT } from '#rules/circuit-breaker.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';

let fresh: FreshRedis;
let links: RedisLink[];
let stores: CircuitStore[];

beforeAll(async () => {
  fresh = await freshRedis();
  const connect = () => connectRedis({ url: fresh.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  links = [await connect(), await connect(), await connect()];
  stores = links.map(link => redisCircuitStore(link, { lifeMs: 60_000 }));
});
afterAll(async () => {
  for (const link of links) await link.close();
  await fresh.release();
});
beforeEach(async () => {
  await links[0]?.run(client => client.flushdb());
});

const failOnce = (store: CircuitStore, requestId: string) =>
  store.change(7, (circuit, at) => afterEnds(circuit, [{ requestId, outcome: 'failed', cause: 'GATEWAY_DOWN' }], at, CIRCUIT_DEFAULTS));

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
  const { circuit } = (await store?.read(7)) ?? { circuit: CLOSED_CIRCUIT };
  expect(circuit).toMatchObject({ kind: 'open', report: { dials: 20, failures: 20, causes: { GATEWAY_DOWN: 20 } } });
});

test('a lost cache closes it [A3]', async () => {
  const [store] = stores;
  if (!store) throw new Error('no store');
  for (let index = 0; index < 20; index++) await failOnce(store, `r${index}`);
  expect((await store.read(7)).circuit.kind).toBe('open');
  await links[0]?.run(client => client.flushdb());
  expect((await store.read(7)).circuit).toEqual(CLOSED_CIRCUIT);
});

test('what the decision leaves alone is not written', async () => {
  const [store] = stores;
  const { after, before } = (await store?.change(7, circuit => circuit)) ?? {};
  expect(after).toBe(before);
  expect(await links[0]?.run(client => client.dbsize())).toBe(0);
});
