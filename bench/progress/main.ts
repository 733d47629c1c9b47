import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { migrate } from '#platform/postgres/migrate.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import { connectRedis } from '#platform/redis/client.ts';
import { loadHttp } from '#bench/support/http-load.ts';
import { cpuMsOf, median, numberOption } from '#bench/support/measure.ts';
import { type BenchProcess, INTERNAL_TOKEN, processFolder, startProcess, startServe } from '#bench/support/server-process.ts';
import { loadNats } from './over-nats.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';

const CONNECTIONS = 64;
const CALLS = 500;
const BODY_BYTES = 300;
const ROUNDS = 3;
const SECONDS = 3;
const WARM_UP_SECONDS = 1;

const LISTS = [20, 500] as const;
/** Consecutive captions of one call in a list. */
const OF_ONE_CALL = 20;

type Who = 'product' | 'raw' | 'express';
type Way = Who | 'NATS' | `list of ${(typeof LISTS)[number]}`;

interface Measured {
  perSecond: number;
  cpuUs: number;
}

/**
 * Captions over 64 connections into 500 live calls: the product's endpoint, bare http with the same script, Express with MULTI. Then
 * only the product: lists of captions, and captions over NATS.
 */
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
  const runs = runsOf(context, servers, calls);
  for (const { run } of runs) await run(WARM_UP_SECONDS);
  const measured = new Map(runs.map(({ way }) => [way, [] as Measured[]]));
  const seconds = numberOption(context.args, 'seconds', SECONDS);
  for (let round = 0; round < numberOption(context.args, 'rounds', ROUNDS); round++) {
    for (const { way, run } of runs) measured.get(way)?.push(await run(seconds));
  }
  const middle = (way: Way, of: keyof Measured) => median((measured.get(way) ?? []).map(each => each[of]));
  const ratio = (way: Way, other: Way) => middle(way, 'perSecond') / middle(other, 'perSecond');
  return {
    bench: 'progress',
    ratios: [
      { what: 'segments/s of the product / of raw http + the same Lua', ratio: ratio('product', 'raw'), bar: { atLeast: 0.65 } },
      { what: 'segments/s of the product / of Express + MULTI', ratio: ratio('product', 'express'), bar: { atLeast: 1.5 } },
      { what: 'segments/s by NATS / by HTTP', ratio: ratio('NATS', 'product'), bar: { atLeast: 2 } },
    ],
    figures: runs.flatMap(({ way }) => [
      { what: `segments/s, ${way}`, value: middle(way, 'perSecond'), unit: '/s' },
      { what: `CPU of the server per segment, ${way}`, value: middle(way, 'cpuUs'), unit: 'µs' },
    ]),
  };
};

interface Run {
  way: Way;
  run: (seconds: number) => Promise<Measured>;
}

function runsOf({ natsUrl }: BenchContext, servers: Record<Who, BenchProcess>, calls: readonly string[]): Run[] {
  const caption = captions(calls);
  const posted =
    (who: Who, body: (index: number) => string, size = 1) =>
    (seconds: number) =>
      runHttp(servers[who], { body, size, seconds });
  const one = (index: number) => JSON.stringify(caption(index));
  return [
    ...(['product', 'raw', 'express'] as const).map(way => ({ way, run: posted(way, one) })),
    ...LISTS.map(size => ({ way: `list of ${size}` as const, run: posted('product', listsOf(calls, size), size) })),
    { way: 'NATS', run: seconds => runNats(natsUrl, servers.product, { caption, seconds }) },
  ];
}

interface Posted {
  body: (index: number) => string;
  /** Segments per body. */
  size: number;
  seconds: number;
}

async function runHttp(server: BenchProcess, { body, size, seconds }: Posted): Promise<Measured> {
  const cpuBefore = cpuMsOf(server.pid);
  const headers = { 'X-Callout-Internal-Token': INTERNAL_TOKEN };
  const result = await loadHttp({ port: server.port, path: '/api/call-progress', headers, connections: CONNECTIONS, seconds, body });
  if (result.failures > 0)
    throw new Error(`${result.failures} of ${result.answers} answers were not 200; the first: ${result.firstFailure ?? ''}`);
  return { perSecond: result.perSecond * size, cpuUs: ((cpuMsOf(server.pid) - cpuBefore) * 1_000) / (result.answers * size) };
}

/** Number of NATS runs, from which caption ids derive: a call ignores ids that it has seen. */
let natsRuns = 0;

async function runNats(url: string, server: BenchProcess, { caption, seconds }: { caption: Captions; seconds: number }): Promise<Measured> {
  const from = (natsRuns += 1) * 10_000_000;
  const cpuBefore = cpuMsOf(server.pid);
  const { taken, perSecond } = await loadNats(
    url,
    index => {
      const report = caption(from + index);
      return { requestId: report.requestId, body: JSON.stringify(report) };
    },
    seconds,
  );
  return { perSecond, cpuUs: ((cpuMsOf(server.pid) - cpuBefore) * 1_000) / taken };
}

/** Creates live calls as the product stores them. */
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

type Captions = (index: number) => {
  requestId: string;
  kind: 'segment';
  segment: { segmentId: string; speaker: 'customer'; text: string };
};

function captions(calls: readonly string[]): Captions {
  const make = (index: number, text: string) => ({
    requestId: calls[index % calls.length] ?? '',
    kind: 'segment' as const,
    segment: { segmentId: `s${index}`, speaker: 'customer' as const, text },
  });
  const free = BODY_BYTES - Buffer.byteLength(JSON.stringify(make(1_000_000, '')));
  const text = '好的我知道了'.repeat(100).slice(0, Math.floor(free / Buffer.byteLength('好')));
  return index => make(index, text);
}

/** List number n has captions of its own calls, 20 of each. */
function listsOf(calls: readonly string[], size: number): (index: number) => string {
  const caption = captions(calls);
  return list => {
    const events = Array.from({ length: size }, (_, place) => {
      const index = list * size + place;
      return { ...caption(index), requestId: calls[Math.floor(index / OF_ONE_CALL) % calls.length] };
    });
    return JSON.stringify({ events });
  };
}

async function startPeer(context: BenchContext, folder: string, kind: 'raw' | 'express'): Promise<BenchProcess> {
  const port = await findFreePort();
  const args = [join(import.meta.dirname, 'peer.ts'), '--kind', kind, '--port', String(port)];
  const env = { CALLOUT_REDIS_URL: context.redisUrl };
  return startProcess({ folder, name: kind, port, path: '/api/nothing', args, env });
}
