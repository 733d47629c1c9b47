import { connectDatabase } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisRuntimePool } from '#runtimes/runtime-pool-store.ts';
import { POOL_GONE_MS } from '#protocol/pool.ts';
import { openRegistry } from '#test/support/stores/open-registry.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { unheardRuntime } from '#runtimes/runtime-pool.ts';
import { median, numberOption, timed } from '#bench/support/measure.ts';
import { countSocketWrites } from '#test/support/socket-writes.ts';
import type { Bench } from '#tools/commands/bench-context.ts';
import { dialBare } from './bare.ts';
import { insertDialLoad, insertRules, PENDING } from './dial-load.ts';
import { dialJob } from './job-checks.ts';
import { contactIds, dialWithBullMq, dialWithGraphileWorker } from './peers.ts';
import { BATCH_SIZE, dialWithProduct } from './product.ts';

const POOL_SIZE = 20;
const ROUNDS = 3;
/** Dials per measurement: only a part of the pending contacts, so that the queue stays long. */
const DIALS = 4_000;
const PEER_DIALS = 2_000;
const MAX_RUNTIME_CALLS = 1_000_000;
const BEAT_MS = 2_000;

interface Rate {
  perSecond: number;
  cpuUsPerDial: number;
}

/** Round trips per `BATCH_SIZE` dials, as many as one claim takes. */
interface RoundTrips {
  postgres: number;
  redis: number;
}

/**
 * Consecutive dispatch cycles with 100,000 pending contacts, 20,000 do-not-call rows and five policies; the switch is simulated in process.
 */
export const bench: Bench = async context => {
  const { databaseUrl, redisUrl, args } = context;
  const writes = countSocketWrites();
  await migrate(databaseUrl);
  await using stack = new AsyncDisposableStack();
  const database = await connectDatabase({ entities: ENTITIES, url: databaseUrl, poolSize: POOL_SIZE, statementTimeoutMs: 60_000 });
  stack.defer(() => database.close());
  const redis = await connectRedis({ url: redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  stack.defer(() => redis.close());
  await registerRuntime(redis, stack);
  const stores = { database, redis };
  await openRegistry(redisSlotRegistry(redis, { leaseMs: 1_000 }));
  await insertRules(database);
  const load = await insertDialLoad(database);
  context.print(`dispatch: ${PENDING} contacts wait`);
  const rates: Record<'product' | 'bare' | 'bullmq' | 'graphile', Rate[]> = { product: [], bare: [], bullmq: [], graphile: [] };
  const job = await dialJob(stores, load);
  await dialWithProduct(stores, load.campaignId, 500);
  await dialBare(stores, load, 500);
  const trips: Record<'product' | 'bare', RoundTrips[]> = { product: [], bare: [] };
  const counted = async (who: keyof typeof trips, dial: () => Promise<{ dialled: number }>) => {
    const [postgres, onRedis] = [writes.to(databaseUrl), writes.to(redisUrl)];
    const run = await timed(dial);
    rates[who].push(rateOf(run));
    const perBatch = (count: number) => (count * BATCH_SIZE) / run.value.dialled;
    trips[who].push({ postgres: perBatch(writes.to(databaseUrl) - postgres), redis: perBatch(writes.to(redisUrl) - onRedis) });
  };
  for (let round = 0; round < numberOption(args, 'rounds', ROUNDS); round++) {
    await counted('product', () => dialWithProduct(stores, load.campaignId, DIALS));
    await counted('bare', () => dialBare(stores, load, DIALS));
    const forBullMq = await dialWithBullMq(redisUrl, await contactIds(database, load, PEER_DIALS), job);
    rates.bullmq.push(rateOf({ ...forBullMq, value: forBullMq }));
    const forGraphile = await dialWithGraphileWorker(databaseUrl, await contactIds(database, load, PEER_DIALS), job, database);
    rates.graphile.push(rateOf({ ...forGraphile, value: forGraphile }));
  }
  const perSecond = (who: keyof typeof rates) => median(rates[who].map(rate => rate.perSecond));
  const cpu = (who: keyof typeof rates) => median(rates[who].map(rate => rate.cpuUsPerDial));
  const names = Object.keys(rates) as (keyof typeof rates)[];
  return {
    bench: 'dispatch',
    ratios: [
      { what: 'dials/s of the product / of its bare SQL and Lua', ratio: perSecond('product') / perSecond('bare'), bar: { atLeast: 0.75 } },
      {
        what: 'dials/s of the product / of the better queue',
        ratio: perSecond('product') / Math.max(perSecond('bullmq'), perSecond('graphile')),
        bar: { atLeast: 3.5 },
      },
    ],
    figures: [
      ...names.flatMap(who => [
        { what: `dials/s, ${who}`, value: perSecond(who), unit: '/s' },
        { what: `CPU per dial in this process, ${who}`, value: cpu(who), unit: 'µs' },
      ]),
      ...(['product', 'bare'] as const).flatMap(who => [
        {
          what: `round trips to PostgreSQL for ${BATCH_SIZE} dials, ${who}`,
          value: median(trips[who].map(each => each.postgres)),
          unit: '',
        },
        { what: `round trips to Redis for ${BATCH_SIZE} dials, ${who}`, value: median(trips[who].map(each => each.redis)), unit: '' },
      ]),
    ],
  };
};

/** Registers one runtime that accepts every call, because nothing is dialled without one. */
async function registerRuntime(redis: RedisLink, stack: AsyncDisposableStack): Promise<void> {
  const pool = redisRuntimePool(redis, { goneAfterMs: POOL_GONE_MS });
  const member = { ...unheardRuntime('bench'), maxCalls: MAX_RUNTIME_CALLS, isDraining: false };
  await pool.beat(member);
  const beating = setInterval(() => void pool.beat(member), BEAT_MS);
  stack.defer(() => clearInterval(beating));
}

function rateOf({ value, ms, cpuMs }: { value: { dialled: number }; ms: number; cpuMs: number }): Rate {
  return { perSecond: (value.dialled * 1_000) / ms, cpuUsPerDial: (cpuMs * 1_000) / value.dialled };
}
