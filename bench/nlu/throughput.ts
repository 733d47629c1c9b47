import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { NluEngine } from '#nlu/engine.ts';
import { type Listening, listen } from '#nlu/http/listen.ts';
import { nluServer } from '#nlu/http/server.ts';
import { profileRegistry } from '#nlu/profiles.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import type { LoadPlan } from './load-worker.ts';

const CONNECTIONS = 16;
const ROUND_MS = 300;

/** Throughput of the real server with two engines, measured in alternation so that other load on the machine affects both. */
export interface Compared {
  /** Responses per second. */
  one: number;
  other: number;
  /** Median over the rounds of `one / other`. */
  ratio: number;
}

export async function compareThroughput(one: NluEngine, other: NluEngine, bodies: readonly string[], rounds: number): Promise<Compared> {
  const servers = await Promise.all([one, other].map(serve));
  const [first, second] = servers;
  if (!first || !second) throw new Error('two servers were started');
  await askAll(first.port, bodies);
  await askAll(second.port, bodies);
  const pairs: { one: number; other: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    pairs.push({ one: await askAll(first.port, bodies), other: await askAll(second.port, bodies) });
  await Promise.all(servers.map(server => server.drain(1_000)));
  return {
    one: median(pairs.map(pair => pair.one)),
    other: median(pairs.map(pair => pair.other)),
    ratio: median(pairs.map(pair => pair.one / pair.other)),
  };
}

function serve(engine: NluEngine): Promise<Listening> {
  const profile = { key: 'local', labelZh: '本地', descriptionZh: '本地', engine };
  const server = nluServer({ profiles: profileRegistry([profile]), token: '', ids: systemIds, log: silentLog });
  return listen(server, { host: '127.0.0.1', port: 0 }, systemClock);
}

/** Responses per second; the requests come from another thread. */
export async function askAll(port: number, bodies: readonly string[]): Promise<number> {
  const plan: LoadPlan = { port, bodies: [...bodies], connections: CONNECTIONS, ms: ROUND_MS };
  const worker = new Worker(new URL('load-worker.ts', import.meta.url), { workerData: plan });
  const [answered] = (await once(worker, 'message')) as [number];
  await worker.terminate();
  return answered / (ROUND_MS / 1_000);
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
