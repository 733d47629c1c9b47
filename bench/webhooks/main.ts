import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { createSeal } from '#access/seal.ts';
import { ENTITIES } from '#app/connect.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { systemRandom } from '#kernel/random.ts';
import { mailSender } from '#platform/outside/mail.ts';
import { outsideHttp } from '#platform/outside/outside-http.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { POOL_GONE_MS } from '#protocol/pool.ts';
import { runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import { redisRuntimePool } from '#runtimes/runtime-pool-store.ts';
import { unheardRuntime } from '#runtimes/runtime-pool.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { runWebhooks } from '#webhooks/run-webhooks.ts';
import { newSigningSecret } from '#access/tokens.ts';
import { insertDialLoad, insertRules } from '#bench/dispatch/dial-load.ts';
import { dialWithProduct } from '#bench/dispatch/product.ts';
import { median, numberOption, timed } from '#bench/support/measure.ts';
import { openRegistry } from '#test/support/stores/open-registry.ts';
import type { Bench } from '#tools/commands/bench-context.ts';

const POOL_SIZE = 20;
const ROUNDS = 5;
const DIALS = 3_000;
const MAX_RUNTIME_CALLS = 1_000_000;
const BEAT_MS = 2_000;
/** The receiver accepts connections and never answers: the worst of the dead. */
const TYPES = ['attempt.answered', 'attempt.settled', 'attempt.revised', 'contact.completed', 'alert.raised'];
const seal = createSeal('5e'.repeat(32), 'webhook.secret');

/**
 * Dials per second with an endpoint whose receiver is dead, against the rate without endpoints; each dial queues two messages.
 * `npm run bench -- webhooks [--rounds N]`
 */
export const bench: Bench = async context => {
  await migrate(context.databaseUrl);
  await using stack = new AsyncDisposableStack();
  const stores = await openStores(context, stack);
  const { campaignId } = await insertDialLoad(stores.database);
  const url = await startDeadReceiver(stack);
  await dialWithProduct(stores, campaignId, 500);
  const rates: Record<'alone' | 'dead', number[]> = { alone: [], dead: [] };
  const measure = async (who: keyof typeof rates) => {
    const { value, ms } = await timed(() =>
      who === 'alone' ? dialWithProduct(stores, campaignId, DIALS) : dialBeside(stores, campaignId, url),
    );
    rates[who].push((value.dialled * 1_000) / ms);
  };
  for (let round = 0; round < numberOption(context.args, 'rounds', ROUNDS); round++) {
    // The sides change their order, so that a queue that shortens favours neither.
    for (const who of round % 2 === 0 ? (['alone', 'dead'] as const) : (['dead', 'alone'] as const)) await measure(who);
    context.print(
      `webhooks: round ${round + 1}: ${rates.alone.at(-1)?.toFixed(0)} dials/s alone, ${rates.dead.at(-1)?.toFixed(0)} beside a dead receiver`,
    );
  }
  const queued = await stores.database.first(sql<{ count: number }>`select count(*)::int as count from webhook_delivery`);
  return {
    bench: 'webhooks',
    ratios: [
      {
        what: 'dials/s beside a dead receiver / without endpoints',
        ratio: median(rates.dead) / median(rates.alone),
        bar: { atLeast: 0.97 },
      },
    ],
    figures: [
      { what: 'dials/s without endpoints', value: median(rates.alone), unit: '/s' },
      { what: 'dials/s beside a dead receiver', value: median(rates.dead), unit: '/s' },
      { what: 'messages queued', value: queued?.count ?? 0, unit: '' },
    ],
  };
};

interface Stores {
  database: Database;
  redis: RedisLink;
}

async function openStores(
  { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string },
  stack: AsyncDisposableStack,
): Promise<Stores> {
  const database = await connectDatabase({ entities: ENTITIES, url: databaseUrl, poolSize: POOL_SIZE, statementTimeoutMs: 60_000 });
  stack.defer(() => database.close());
  const redis = await connectRedis({ url: redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  stack.defer(() => redis.close());
  await openRegistry(redisSlotRegistry(redis, { leaseMs: 1_000 }));
  await insertRules(database);
  const pool = redisRuntimePool(redis, { goneAfterMs: POOL_GONE_MS });
  const member = { ...unheardRuntime('bench'), maxCalls: MAX_RUNTIME_CALLS, isDraining: false };
  await pool.beat(member);
  const beating = setInterval(() => void pool.beat(member), BEAT_MS);
  stack.defer(() => clearInterval(beating));
  return { database, redis };
}

async function startDeadReceiver(stack: AsyncDisposableStack): Promise<string> {
  const server = createServer(() => undefined);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The deliveries run in the process that dials, as in a server. */
async function dialBeside(stores: Stores, campaignId: number, url: string): Promise<{ dialled: number }> {
  const { database } = stores;
  await database.run(sql`
    insert into webhook_endpoint (name, kind, url, types, secret) values ('bench', 'webhook', ${url}, ${TYPES}::text[], ${seal.close(newSigningSecret())})`);
  const stopping = new AbortController();
  const rules = { allowPrivate: true };
  const outside = outsideHttp(rules);
  const app = {
    db: database,
    clock: systemClock,
    random: systemRandom,
    ids: systemIds,
    log: silentLog,
    events: runtimeEventRepository(database, { publish: () => undefined }),
    outside,
    sendMail: mailSender(rules),
    webhookSeal: seal,
    timeZone: 'Asia/Shanghai',
    webhookKeepDays: 30,
  };
  const running = runWebhooks(app, stopping.signal);
  const dialled = await dialWithProduct(stores, campaignId, DIALS);
  stopping.abort();
  outside.close();
  await running;
  await database.run(sql`update webhook_endpoint set status = 'disabled'`);
  return dialled;
}
