import { getIntrospectionQuery } from 'graphql';
import { type HttpLoadResult, loadHttp } from '#bench/support/http-load.ts';
import { sleep, systemClock } from '#kernel/clock.ts';

/** Addresses from which strangers ask, all of this machine's loopback network. */
const ADDRESSES = 20;
const PROBE_EVERY_MS = 100;
const PROBE_TIMEOUT_MS = 10_000;

const repeated = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ');

/** What cost most: fields that are compared pair by pair, as many as 64 KiB hold; as many as a stranger may send; a schema. */
const BODIES = [
  JSON.stringify({ query: `{ ${repeated(1_200, 'me { authenticated }')} }` }),
  JSON.stringify({ query: `{ ${repeated(24, 'me { authenticated }')} }` }),
  JSON.stringify({ query: getIntrospectionQuery() }),
  JSON.stringify({ query: '{ me { authenticated } }' }),
];

/** So many requests a second without a session, each address at its part of them. */
export function flood(port: number, load: { perSecond: number; seconds: number }): Promise<HttpLoadResult> {
  const body = (index: number) => BODIES[index % BODIES.length] ?? '';
  return loadHttp({
    port,
    path: '/graphql',
    headers: {},
    connections: ADDRESSES,
    ...load,
    body,
    localAddress: connection => `127.0.0.${connection + 2}`,
  });
}

/** How long `/health/live` takes meanwhile, ms, the slowest of them. */
export async function slowestProbe(port: number, seconds: number): Promise<number> {
  const endsAt = systemClock.monotonic() + seconds * 1_000;
  let slowestMs = 0;
  while (systemClock.monotonic() < endsAt) {
    const startedAt = systemClock.monotonic();
    await (await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).arrayBuffer();
    slowestMs = Math.max(slowestMs, systemClock.monotonic() - startedAt);
    await sleep(systemClock, PROBE_EVERY_MS);
  }
  return slowestMs;
}
