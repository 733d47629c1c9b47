import { loadHttp } from '#bench/support/http-load.ts';
import { INTERNAL_TOKEN, processFolder } from '#bench/support/server-process.ts';
import { openSwarm } from '#bench/support/swarm.ts';
import type { BenchContext } from '#tools/commands/bench-context.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { MARKER, openLiveCalls } from './live-load.ts';
import { type Dialect, post, startProduct } from './measure-fan-out.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const CALLS = 1_000;
const WATCHERS = 20;
const CONNECTIONS = 64;
const SECONDS = 5;

/** Time for the backlog of full load to drain, in ms. */
const BACKLOG_MS = 2_000;

const STALL_WATCHERS = 100;
/** Subscribers that do not read: 1 %. */
const STALLED = 1;
/** Events, and characters of each, that fill the buffers of a subscriber that does not read. */
const FILL_EVENTS = 900;
const FILL_CHARACTERS = 3_900;
const MEASURED_EVENTS = 200;

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Latency from the post of a caption to its subscriber, in ms, at half of the maximum rate, with 1,000 live calls and 20 subscribers. */
export async function ingestLatency(context: BenchContext, dialect: Dialect): Promise<{ p50: number; p99: number; perSecond: number }> {
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const calls = await openLiveCalls(context, CALLS);
  const server = await startProduct(folder, context);
  stack.defer(() => server.stop());
  const latencies: number[] = [];
  const onEvent = (text: string) => {
    const sentAt = /^(\d+)T/.exec(text)?.[1];
    if (sentAt !== undefined) latencies.push(systemClock.monotonic() - Number(sentAt) / 1_000);
  };
  const swarm = await openSwarm({ ...dialect, port: server.port, marker: MARKER, subscribers: WATCHERS, onEvent });
  const body = (index: number) => {
    const segment = {
      segmentId: `l${index}`,
      speaker: 'customer',
      text: `${MARKER}${Math.round(systemClock.monotonic() * 1_000)}T 好的，我知道了`,
    };
    return JSON.stringify({ requestId: calls[index % calls.length], kind: 'segment', segment });
  };
  const load = {
    port: server.port,
    path: '/api/call-progress',
    headers: { 'X-Callout-Internal-Token': INTERNAL_TOKEN },
    connections: CONNECTIONS,
    seconds: SECONDS,
    body,
  };
  await loadHttp({ ...load, seconds: 2 });
  const { perSecond } = await loadHttp(load);
  await sleep(systemClock, BACKLOG_MS);
  latencies.length = 0;
  await loadHttp({ ...load, perSecond: perSecond / 2 });
  await swarm.close();
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), perSecond };
}

/** Latency until the last reading subscriber has an event, in ms, with and without 1 % of subscribers that do not read. */
export async function stalledLatency(context: BenchContext, dialect: Dialect): Promise<{ without: number; with: number }> {
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const calls = await openLiveCalls(context, 1);
  const measure = async (stalled: number) => {
    const server = await startProduct(folder, context);
    const swarm = await openSwarm({ ...dialect, port: server.port, marker: MARKER, subscribers: STALL_WATCHERS, stalled });
    const deliver = async (more = '') => {
      const due = swarm.delivered() + STALL_WATCHERS - stalled;
      const startedAt = systemClock.monotonic();
      await post(server.port, calls, more);
      await waitUntil('every reader', () => swarm.delivered() >= due);
      return systemClock.monotonic() - startedAt;
    };
    for (let event = 0; event < FILL_EVENTS; event++) await deliver('好'.repeat(FILL_CHARACTERS));
    const times: number[] = [];
    for (let event = 0; event < MEASURED_EVENTS; event++) times.push(await deliver());
    await swarm.close();
    await server.stop();
    return percentile(times, 0.99);
  };
  return { without: await measure(0), with: await measure(STALLED) };
}
