import { getIntrospectionQuery } from 'graphql';
import { type HttpLoadResult, loadHttp } from '#bench/support/http-load.ts';
import { sleep, systemClock } from '#kernel/clock.ts';

/** Source addresses of the unauthenticated clients, all in this machine's loopback network. */
const ADDRESSES = 20;
const PROBE_EVERY_MS = 100;
const PROBE_TIMEOUT_MS = 10_000;

const repeated = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ');

/**
 * The most expensive requests within 64 KiB: fields that validation compares pair by pair, the most that an unauthenticated client may
 * send, and a schema.
 */
const BODIES = [
  JSON.stringify({ query: `{ ${repeated(1_200, 'me { authenticated }')} }` }),
  JSON.stringify({ query: `{ ${repeated(24, 'me { authenticated }')} }` }),
  JSON.stringify({ query: getIntrospectionQuery() }),
  JSON.stringify({ query: '{ me { authenticated } }' }),
];

/** Sends unauthenticated requests at a total rate, divided among the addresses. */
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

/** Slowest `/health/live` response meanwhile, in ms. */
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
