import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#adapters/postgres/migrate.ts';
import { redisActorStore } from '#adapters/redis/actor-store.ts';
import { connectRedis } from '#adapters/redis/client.ts';
import { redisSessionStore } from '#adapters/redis/session-store.ts';
import { median, numberOption } from '#bench/support/measure.ts';
import { tellReport } from '#bench/support/report.ts';
import { type BenchProcess, startProcess, startServe } from '#bench/support/server-process.ts';
import { findFreePort } from '#compose/services/free-port.ts';
import type { Bench, BenchContext } from '#compose/tools/bench-context.ts';
import { callAggregate } from '#operations/calls/call-aggregate.ts';
import { newToken } from '#operations/access/token.ts';
import { systemClock } from '#kernel/clock.ts';

const CLIENTS = 100;
const CALLS = 1_000;
const ROUNDS = 3;
const WARM_UP_CALLS = 200;
const SESSION_MS = 3_600_000;

type Who = 'product' | 'bare';

interface Round {
  p50Ms: number;
  p99Ms: number;
  /** Calls that were not won by exactly one client; of calls that nobody was refused by an overloaded cache. */
  wrong: number;
  /** Claims that were answered with 503: the cache did not answer in time. */
  unanswered: number;
}

/**
 * 100 clients claim the same 1,000 live calls, each in an order of its own: the product's endpoint, and bare http with a session's GET and one
 * EVALSHA that sets the winner.
 */
export const bench: Bench = async context => {
  await migrate(context.databaseUrl);
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'callout-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const servers: Record<Who, BenchProcess> = {
    product: await startServe(folder, context, { auth: { enabled: true, bootstrapAdminPassword: randomUUID() } }),
    bare: await startBare(context, folder),
  };
  for (const server of Object.values(servers)) stack.defer(() => server.stop());
  const token = await openSession(context.redisUrl);
  for (const who of ['product', 'bare'] as const) await run(servers[who], token, await openCalls(context.redisUrl, WARM_UP_CALLS));
  const measured: Record<Who, Round[]> = { product: [], bare: [] };
  for (let round = 0; round < numberOption(context.args, 'rounds', ROUNDS); round++) {
    for (const who of ['product', 'bare'] as const)
      measured[who].push(await run(servers[who], token, await openCalls(context.redisUrl, numberOption(context.args, 'calls', CALLS))));
  }
  const of = (who: Who, member: keyof Round) => median(measured[who].map(each => each[member]));
  const wrong = measured.product.reduce((sum, each) => sum + each.wrong, 0);
  const report = {
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
      ]),
    ],
  };
  return tellReport(report, line => context.tell(line));
};

/** Each client goes through all calls, one claim at a time. */
async function run(server: BenchProcess, token: string, calls: readonly string[]): Promise<Round> {
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
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    wrong: [...winners].filter(([call, count]) => count !== 1 && !unanswered.has(call)).length,
    unanswered: unanswered.size,
  };
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

/** A supervisor's session, as a login makes it. */
async function openSession(redisUrl: string): Promise<string> {
  const redis = await connectRedis({ url: redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  const { token, sessionId } = newToken();
  // The administrator that the server's first start creates.
  const user = { userId: 1, username: 'bench', displayName: 'bench', role: 'supervisor' } as const;
  await redisSessionStore(redis).create({ sessionId, ...user, expiresAt: Date.now() + SESSION_MS }, SESSION_MS);
  await redis.close();
  return token;
}

const WAITS = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000 };
const LIVE_CONTEXT = {
  ...WAITS,
  channelSeen: true,
  channelGone: false,
  ringing: true,
  answeredAt: 1,
  endedAt: null,
  hangupCause: null,
  hangupBy: null,
};

/** Live calls as the product stores them, fresh for each round. */
async function openCalls(redisUrl: string, count: number): Promise<string[]> {
  const redis = await connectRedis({ url: redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  const store = redisActorStore(redis);
  const snapshot = callAggregate().serialize({ value: { open: 'live' }, context: LIVE_CONTEXT });
  const calls = Array.from({ length: count }, () => randomUUID());
  for (const requestId of calls) {
    const meta = JSON.stringify({ requestId, attemptId: 1, campaignId: 1, campaignName: '活动', cellId: 'none', businessConfig: {} });
    await store.commit(requestId, { expectedVersion: 0, commandId: 'open', snapshot, meta, timers: {}, effects: [], effectLeaseMs: 5_000 });
  }
  await redis.close();
  return calls;
}

async function startBare(context: BenchContext, folder: string): Promise<BenchProcess> {
  const port = await findFreePort();
  const args = [join(import.meta.dirname, 'bare.ts'), '--port', String(port)];
  const env = { CALLOUT_REDIS_URL: context.redisUrl };
  return startProcess({ folder, name: 'bare', port, path: '/', args, env });
}
