import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { migrate } from '#adapters/postgres/migrate.ts';
import { redisActorStore } from '#adapters/redis/actor-store.ts';
import { connectRedis } from '#adapters/redis/client.ts';
import { loadHttp } from '#bench/support/http-load.ts';
import { cpuMsOf, median, numberOption } from '#bench/support/measure.ts';
import { type BenchProcess, INTERNAL_TOKEN, processFolder, startProcess, startServe } from '#bench/support/server-process.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';

const CONNECTIONS = 64;
const CALLS = 500;
const BODY_BYTES = 300;
const ROUNDS = 3;
const SECONDS = 3;
const WARM_UP_SECONDS = 1;

type Who = 'product' | 'raw' | 'express';

/** Captions over 64 connections into 500 live calls: the product's endpoint, bare http with the same script, Express with MULTI. */
export const bench: Bench = async context => {
  await migrate(context.databaseUrl);
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const calls = await openCalls(context.redisUrl);
  const servers: Record<Who, BenchProcess> = {
    product: await startServe(folder, context),
    raw: await startPeer(context, folder, 'raw'),
    express: await startPeer(context, folder, 'express'),
  };
  for (const server of Object.values(servers)) stack.defer(() => server.stop());
  const body = bodies(calls);
  for (const server of Object.values(servers)) await run(server, body, WARM_UP_SECONDS);
  const measured: Record<Who, { perSecond: number; cpuUs: number }[]> = { product: [], raw: [], express: [] };
  const seconds = numberOption(context.args, 'seconds', SECONDS);
  for (let round = 0; round < numberOption(context.args, 'rounds', ROUNDS); round++) {
    for (const who of ['product', 'raw', 'express'] as const) measured[who].push(await run(servers[who], body, seconds));
  }
  const rate = (who: Who) => median(measured[who].map(each => each.perSecond));
  return {
    bench: 'progress',
    ratios: [
      { what: 'segments/s of the product / of raw http + the same Lua', ratio: rate('product') / rate('raw'), bar: { atLeast: 0.7 } },
      { what: 'segments/s of the product / of Express + MULTI', ratio: rate('product') / rate('express'), bar: { atLeast: 2.5 } },
    ],
    figures: (['product', 'raw', 'express'] as const).flatMap(who => [
      { what: `segments/s, ${who}`, value: rate(who), unit: '/s' },
      { what: `CPU of the server per segment, ${who}`, value: median(measured[who].map(each => each.cpuUs)), unit: 'µs' },
    ]),
  };
};

async function run(server: BenchProcess, body: (index: number) => string, seconds: number): Promise<{ perSecond: number; cpuUs: number }> {
  const cpuBefore = cpuMsOf(server.pid);
  const headers = { 'X-Callout-Internal-Token': INTERNAL_TOKEN };
  const result = await loadHttp({ port: server.port, path: '/api/call-progress', headers, connections: CONNECTIONS, seconds, body });
  if (result.failures > 0)
    throw new Error(`${result.failures} of ${result.answers} answers were not 200; the first: ${result.firstFailure ?? ''}`);
  return { perSecond: result.perSecond, cpuUs: ((cpuMsOf(server.pid) - cpuBefore) * 1_000) / result.answers };
}

/** Live calls as the product stores them. */
async function openCalls(redisUrl: string): Promise<string[]> {
  const redis = await connectRedis({ url: redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  const store = redisActorStore(redis);
  const calls = Array.from({ length: CALLS }, () => randomUUID());
  for (const requestId of calls) {
    const meta = JSON.stringify({ requestId, campaignId: 1, campaignName: '活动', phoneNumber: '13900000000' });
    const commit = { expectedVersion: 0, commandId: 'open', snapshot: '{"v":1}', meta, timers: {}, effects: [], effectLeaseMs: 5_000 };
    await store.commit(requestId, commit);
  }
  await redis.close();
  return calls;
}

function bodies(calls: readonly string[]): (index: number) => string {
  const make = (index: number, text: string) =>
    JSON.stringify({
      requestId: calls[index % calls.length],
      kind: 'segment',
      segment: { segmentId: `s${index}`, speaker: 'customer', text },
    });
  const free = BODY_BYTES - Buffer.byteLength(make(1_000_000, ''));
  const text = '好的我知道了'.repeat(100).slice(0, Math.floor(free / Buffer.byteLength('好')));
  return index => make(index, text);
}

async function startPeer(context: BenchContext, folder: string, kind: 'raw' | 'express'): Promise<BenchProcess> {
  const port = await findFreePort();
  const args = [join(import.meta.dirname, 'peer.ts'), '--kind', kind, '--port', String(port)];
  const env = { CALLOUT_REDIS_URL: context.redisUrl };
  return startProcess({ folder, name: kind, port, path: '/api/nothing', args, env });
}
