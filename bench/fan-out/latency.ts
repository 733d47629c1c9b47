import { loadHttp } from '#bench/support/http-load.ts';
import { median, startWatchingOthers } from '#bench/support/measure.ts';
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
const WARM_UP_SECONDS = 2;
const FULL_SECONDS = 5;
const ROUNDS = 5;
const ROUND_SECONDS = 4;

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

export interface IngestLatency {
  p50: number;
  p99: number;
  /** p99 of the slowest round. */
  worstP99: number;
  /** Maximum rate. */
  perSecond: number;
  /** Share of the machine that other programs used meanwhile, 0..1. */
  others: number;
}

/**
 * Latency from the post of a caption to its subscriber, in ms, at half of the maximum rate, with 1,000 live calls and 20 subscribers.
 *
 * Why:   in one round of 4 s the p99 is the length of its longest stall: one garbage collection or one other process of the machine. So p50
 *        and p99 are medians of several rounds
 * Shape: a caption that had to wait for the response before it counts from the time at which it was due
 */
export async function ingestLatency(context: BenchContext, dialect: Dialect): Promise<IngestLatency> {
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const calls = await openLiveCalls(context, CALLS);
  const server = await startProduct(folder, context);
  stack.defer(() => server.stop());
  let latencies: number[] = [];
  const onEvent = (text: string) => {
    const dueAt = /^(\d+)T/.exec(text)?.[1];
    if (dueAt !== undefined) latencies.push(systemClock.monotonic() - Number(dueAt) / 1_000);
  };
  const swarm = await openSwarm({ ...dialect, port: server.port, marker: MARKER, subscribers: WATCHERS, onEvent });
  const body = (index: number, dueAt: number) => {
    const text = `${MARKER}${Math.round(dueAt * 1_000)}T 好的，我知道了`;
    return JSON.stringify({
      requestId: calls[index % calls.length],
      kind: 'segment',
      segment: { segmentId: `l${index}`, speaker: 'customer', text },
    });
  };
  const headers = { 'X-Callout-Internal-Token': INTERNAL_TOKEN };
  const load = { port: server.port, path: '/api/call-progress', headers, connections: CONNECTIONS, body };
  await loadHttp({ ...load, seconds: WARM_UP_SECONDS });
  const { perSecond } = await loadHttp({ ...load, seconds: FULL_SECONDS });
  await sleep(systemClock, BACKLOG_MS);
  const rounds: number[][] = [];
  const shareOfOthers = startWatchingOthers();
  for (let round = 0; round < ROUNDS; round++) {
    latencies = [];
    await loadHttp({ ...load, seconds: ROUND_SECONDS, perSecond: perSecond / 2 });
    rounds.push(latencies);
  }
  const others = shareOfOthers();
  await swarm.close();
  const p99 = rounds.map(round => percentile(round, 0.99));
  context.print(`  half load, ${(perSecond / 2).toFixed(0)} captions/s, p99 of each round: ${p99.map(ms => ms.toFixed(1)).join(', ')} ms`);
  const p50 = median(rounds.map(round => percentile(round, 0.5)));
  return { p50, p99: median(p99), worstP99: Math.max(...p99), perSecond, others };
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
