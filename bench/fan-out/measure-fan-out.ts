import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext } from '#tools/commands/bench-context.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { cpuMsOf, median } from '#bench/support/measure.ts';
import { type BenchProcess, INTERNAL_TOKEN, startProcess, startServe } from '#bench/support/server-process.ts';
import { openSwarm, type Swarm, type SwarmPlan } from '#bench/support/swarm.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { MARKER, segmentBody } from './live-load.ts';

/** How subscribers talk to one kind of server. */
export type Dialect = Omit<SwarmPlan, 'port' | 'subscribers' | 'marker' | 'stalled'>;

export interface FanOutRun {
  /** CPU of the server above its idle use, in µs per delivered event. */
  cpuUs: number;
  /** Latency from the post of an event to its last subscriber, in ms. */
  lastMs: number;
  /** Memory of the server per subscriber, in KB. */
  memoryKb: number;
}

const IDLE_MS = 2_000;
const FIRST_SUBSCRIBERS = 50;
const DELIVERED_WITHIN_MS = 120_000;

export function startPeer(folder: string, kind: string): Promise<BenchProcess> {
  return findFreePort().then(port => {
    const args = [join(import.meta.dirname, 'peer.ts'), '--kind', kind, '--port', String(port)];
    return startProcess({ folder, name: kind, port, path: '/alive', args, env: {} });
  });
}

export function startProduct(folder: string, context: BenchContext): Promise<BenchProcess> {
  return startServe(folder, context);
}

let posted = 0;

export async function post(port: number, calls: readonly string[], more = ''): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/call-progress`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Callout-Internal-Token': INTERNAL_TOKEN },
    body: segmentBody(calls, (posted += 1), more),
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`a post was answered ${answer.status}`);
}

/** Opens subscribers and posts events one after the other, each when the one before has reached every subscriber. */
export async function runFanOut(
  server: BenchProcess,
  dialect: Dialect,
  load: { calls: readonly string[]; subscribers: number; events: number; stalled?: number },
): Promise<FanOutRun> {
  const plan = { ...dialect, port: server.port, marker: MARKER };
  // Code loaded for the first subscribers does not count as memory per subscriber.
  await openSwarm({ ...plan, subscribers: FIRST_SUBSCRIBERS }).then(first => first.close());
  const memoryBefore = residentKb(server.pid);
  const { subscribers, stalled = 0 } = load;
  const swarm = await openSwarm({ ...plan, subscribers, stalled });
  const readers = subscribers - stalled;
  // The first events may miss subscribers whose subscription is still pending.
  await warmUp(server, swarm, { ...load, readers });
  const memoryKb = (residentKb(server.pid) - memoryBefore) / subscribers;
  const idle = await idleShare(server);
  const times: number[] = [];
  const [startedAt, cpuBefore] = [systemClock.monotonic(), cpuMsOf(server.pid)];
  for (let event = 0; event < load.events; event++) times.push(await deliverOne(server, swarm, { calls: load.calls, readers }));
  const cpuMs = cpuMsOf(server.pid) - cpuBefore - idle * (systemClock.monotonic() - startedAt);
  const cpuUs = (cpuMs * 1_000) / (load.events * readers);
  await swarm.close();
  return { cpuUs, lastMs: median(times), memoryKb };
}

/** CPU share of the server while nothing is posted: timers, pings, polling of the stores. */
async function idleShare({ pid }: BenchProcess): Promise<number> {
  const [startedAt, cpuBefore] = [systemClock.monotonic(), cpuMsOf(pid)];
  await sleep(systemClock, IDLE_MS);
  return (cpuMsOf(pid) - cpuBefore) / (systemClock.monotonic() - startedAt);
}

async function warmUp(server: BenchProcess, swarm: Swarm, load: { calls: readonly string[]; readers: number }): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const before = swarm.delivered();
    await post(server.port, load.calls);
    const all = await waitUntil('the warm-up', () => swarm.delivered() - before === load.readers, 10_000).catch(() => false);
    if (all && round >= 2) return;
  }
  throw new Error('not every subscriber gets every event');
}

async function deliverOne(server: BenchProcess, swarm: Swarm, load: { calls: readonly string[]; readers: number }): Promise<number> {
  const due = swarm.delivered() + load.readers;
  const startedAt = systemClock.monotonic();
  await post(server.port, load.calls);
  await waitUntil('every subscriber', () => swarm.delivered() >= due, DELIVERED_WITHIN_MS);
  return systemClock.monotonic() - startedAt;
}

function residentKb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
}
