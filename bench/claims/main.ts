import { request, Agent } from 'node:http';
import { join } from 'node:path';
import { connectNats } from '#platform/nats/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { cpuMsOf, median, numberOption } from '#bench/support/measure.ts';
import { openCalls } from '#bench/support/live-calls.ts';
import { oneSessionServer, openSession } from '#bench/support/session.ts';
import { type BenchProcess, processFolder, startProcess, startServe } from '#bench/support/server-process.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { playRuntime } from './runtime.ts';
import { BUS_TIMES } from '#test/support/nats.ts';

const CLIENTS = 100;
const CALLS = 1_000;
const ROUNDS = 3;
const WARM_UP_CALLS = 200;

type Who = 'product' | 'bare';

interface Round {
  p50Ms: number;
  p99Ms: number;
  /** Calls won by none or by several clients, except those with a 503. */
  wrong: number;
  /** Calls with at least one 503 response: Redis did not respond in time. */
  unanswered: number;
  /** CPU of the server per claim, in µs. */
  cpuUs: number;
  /** Reads by Redis per claim: commands that are sent together count once. */
  redisReads: number;
}

/**
 * 100 clients claim the same 1,000 live calls, each in its own order: through the product's endpoint with sessions, and through bare http
 * with one EVALSHA that sets the winner.
 *
 * Why: a runtime takes over each claimed call at its next node boundary, as in production; without one, the server would repeat each claim
 *      to the runtime and free the call after 30 s (D9.3)
 */
export const bench: Bench = async context => {
  await migrate(context.databaseUrl);
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const servers: Record<Who, BenchProcess> = {
    product: await startServe(folder, context, oneSessionServer()),
    bare: await startBare(context, folder),
  };
  for (const server of Object.values(servers)) stack.defer(() => server.stop());
  const bus = await connectNats(
    { ...BUS_TIMES, url: context.natsUrl, clientName: 'bench-runtime' },
    { clock: systemClock, log: silentLog },
  );
  stack.defer(() => bus.close());
  stack.defer(playRuntime(bus));
  const token = await openSession(context.redisUrl);
  const redis = await connectRedis({ url: context.redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  stack.defer(() => redis.close());
  const round = async (who: Who, count: number) =>
    run({ server: servers[who], redis }, token, await openCalls(redis, count, { runtimeId: null, epoch: 1 }));
  for (const who of ['product', 'bare'] as const) await round(who, WARM_UP_CALLS);
  const measured: Record<Who, Round[]> = { product: [], bare: [] };
  for (let index = 0; index < numberOption(context.args, 'rounds', ROUNDS); index++) {
    for (const who of ['product', 'bare'] as const) measured[who].push(await round(who, numberOption(context.args, 'calls', CALLS)));
  }
  const of = (who: Who, member: keyof Round) => median(measured[who].map(each => each[member]));
  const wrong = measured.product.reduce((sum, each) => sum + each.wrong, 0);
  return {
    bench: 'claims',
    ratios: [
      { what: 'p99 of a claim / of a bare EVALSHA over http', ratio: of('product', 'p99Ms') / of('bare', 'p99Ms'), bar: { atMost: 2 } },
    ],
    figures: [
      { what: 'calls without exactly one winner', value: wrong, unit: '', bar: { atMost: 0 } },
      { what: 'calls with an answer 503, product', value: of('product', 'unanswered'), unit: '' },
      ...(['product', 'bare'] as const).flatMap(who => [
        { what: `p50 of a claim, ${who}`, value: of(who, 'p50Ms'), unit: 'ms' },
        { what: `p99 of a claim, ${who}`, value: of(who, 'p99Ms'), unit: 'ms' },
        { what: `CPU of a claim, ${who}`, value: of(who, 'cpuUs'), unit: 'µs' },
        { what: `reads by Redis for a claim, ${who}`, value: of(who, 'redisReads'), unit: '' },
      ]),
    ],
  };
};

/** Each client goes through all calls, one claim at a time. */
async function run({ server, redis }: { server: BenchProcess; redis: RedisLink }, token: string, calls: readonly string[]): Promise<Round> {
  const [cpuBefore, readsBefore] = [cpuMsOf(server.pid), await readsOf(redis)];
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const winners = new Map<string, number>(calls.map(call => [call, 0]));
  const unanswered = new Set<string>();
  const latencies: number[] = [];
  const step = Math.floor(calls.length / CLIENTS);
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let index = 0; index < calls.length; index++) {
        const call = calls[(index + client * step) % calls.length] ?? '';
        const askedAt = systemClock.monotonic();
        const status = await claim({ port: server.port, token, call, agent });
        latencies.push(systemClock.monotonic() - askedAt);
        if (status === 200) winners.set(call, (winners.get(call) ?? 0) + 1);
        else if (status === 503) unanswered.add(call);
        else if (status !== 409) throw new Error(`a claim was answered with ${status}`);
      }
    }),
  );
  agent.destroy();
  const [cpuMs, reads] = [cpuMsOf(server.pid) - cpuBefore, (await readsOf(redis)) - readsBefore];
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    wrong: [...winners].filter(([call, count]) => count !== 1 && !unanswered.has(call)).length,
    unanswered: unanswered.size,
    cpuUs: (cpuMs * 1_000) / latencies.length,
    redisReads: reads / latencies.length,
  };
}

async function readsOf(redis: RedisLink): Promise<number> {
  const stats = await redis.run(client => client.info('stats'));
  return Number(/total_reads_processed:(\d+)/.exec(stats)?.[1] ?? Number.NaN);
}

function claim({ port, token, call, agent }: { port: number; token: string; call: string; agent: Agent }): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = `/api/live-calls/request:${call}/intervene`;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Length': 0 };
    request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, response => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });
}

async function startBare(context: BenchContext, folder: string): Promise<BenchProcess> {
  const port = await findFreePort();
  const args = [join(import.meta.dirname, 'bare.ts'), '--port', String(port)];
  const env = { CALLOUT_REDIS_URL: context.redisUrl };
  return startProcess({ folder, name: 'bare', port, path: '/', args, env });
}
