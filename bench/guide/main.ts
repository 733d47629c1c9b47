import { median, numberOption } from '#bench/support/measure.ts';
import { processFolder, startServe } from '#bench/support/server-process.ts';
import { oneSessionServer, openSession } from '#bench/support/session.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { connectNats } from '#platform/nats/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { openCalls } from '#bench/support/live-calls.ts';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisRuntimePool } from '#runtimes/runtime-pool-store.ts';
import { BUS_TIMES } from '#test/support/nats.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import type { Figure } from '#tools/commands/bench-report.ts';
import { measureBarge } from './barge.ts';

/** Calls that get a hint or a sentence, one after the other, at a user's pace. */
const CALLS = 200;
const PAUSE_MS = 50;
/** Longest time from the request until the runtime has it, ms. */
const LIMIT_MS = 300;
const RUNTIME = 'bench-runtime';
const KINDS = ['hint', 'say'] as const;

/**
 * From a person's request to what the customer gets of it: for a hint and for words to be spoken to the runtime that has the call, for a
 * person who is put through to the customer's ear.
 */
export const bench: Bench = async context => {
  await migrate(context.databaseUrl);
  return { bench: 'guide', ratios: [], figures: [...(await measureGuidance(context)), ...(await measureBarge(context))] };
};

async function measureGuidance(context: BenchContext): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const server = await startServe(folder, context, oneSessionServer());
  stack.defer(() => server.stop());
  const bus = await connectNats({ ...BUS_TIMES, url: context.natsUrl, clientName: RUNTIME }, { clock: systemClock, log: silentLog });
  stack.defer(() => bus.close());
  const heardAt = new Map<string, number>();
  bus.subscribe('callout.v1.command.*.*', {}, message => {
    heardAt.set(message.subject, systemClock.monotonic());
    message.respond?.({ ok: true, runtimeId: RUNTIME });
  });
  const token = await openSession(context.redisUrl);
  const redis = await connectRedis({ url: context.redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  stack.defer(() => redis.close());
  await register(redis);
  const figures: Figure[] = [];
  for (const kind of KINDS) {
    const tookMs: number[] = [];
    for (const call of await openCalls(redis, numberOption(context.args, 'calls', CALLS), { runtimeId: RUNTIME, epoch: 2 })) {
      const askedAt = systemClock.monotonic();
      await tell({ port: server.port, token, call, kind });
      tookMs.push((heardAt.get(`callout.v1.command.${call}.${kind}`) ?? Number.POSITIVE_INFINITY) - askedAt);
      await new Promise(resolve => void systemClock.schedule(PAUSE_MS, () => resolve(null)));
    }
    tookMs.sort((a, b) => a - b);
    figures.push(
      {
        what: `request to runtime, ${kind}, p95`,
        value: tookMs[Math.floor(tookMs.length * 0.95)] ?? Number.NaN,
        unit: 'ms',
        bar: { atMost: LIMIT_MS },
      },
      { what: `request to runtime, ${kind}, median`, value: median(tookMs), unit: 'ms' },
    );
  }
  return figures;
}

async function tell({ port, token, call, kind }: { port: number; token: string; call: string; kind: string }): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/live-calls/request:${call}/${kind}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: '先说优惠' }),
  });
  if (!response.ok) throw new Error(`${kind}: ${response.status} ${await response.text()}`);
}

/** A runtime that takes both commands; it sends no heartbeat while the bench lasts. */
async function register(redis: RedisLink): Promise<void> {
  await redisRuntimePool(redis, { goneAfterMs: 3_600_000 }).beat({
    runtimeId: RUNTIME,
    name: RUNTIME,
    version: '1',
    contract: 1,
    maxCalls: 10_000,
    active: 0,
    isDraining: false,
    resumes: false,
    commands: KINDS,
    nodeTypes: [],
  });
}
