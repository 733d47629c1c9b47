import { setTimeout as delay } from 'node:timers/promises';
import { attendSwitches } from '#agents/attend-switches.ts';
import { releaseHolds } from '#policies/holds.ts';
import { serveActors } from './actors.ts';
import { serveReports } from '#calls/bus.ts';
import { serveRuntimePool } from '#runtimes/bus.ts';
import { runContactIndexing } from '#contacts/contact-counts.ts';
import { runRetention } from '#privacy/retention.ts';
import { recordOutages } from '#runtime-events/outages.ts';
import type { ServerContext } from '#app/context.ts';
import type { App } from '#app/app.ts';

/** Interval of the check for remaining live calls during the drain, ms. */
const DRAIN_POLL_MS = 200;

/**
 * Runs the engine beside HTTP. The drain stops new dials first and waits for live calls; other instances continue the remaining ones.
 *
 * Source: A1.1, D1
 */
export async function runEngine(context: ServerContext, app: App): Promise<void> {
  const { ground, campaigns, dialling, calls, agents, agentCalls, events, retention } = app;
  const reach = { ...ground, ...campaigns, ...dialling, ...calls, ...agents, ...agentCalls, ...events };
  const { bus, stack, draining, redis, metrics } = context;
  const working = new AbortController();
  // The current configuration may allow short codes that were forbidden when their contacts were put on hold.
  await ground.db.transaction(tx => releaseHolds(tx, { reasons: ['short_code'] }));
  const stopReports = await serveReports({ ...reach, ...context.proofs, metrics }, bus);
  const stopActors = serveActors({ ...reach, ...context.gate, ...context.proofs }, bus);
  const stopPool = serveRuntimePool({ ...reach, ...context.proofs }, bus);
  const stopOutages = recordOutages({ ...ground, ...events, bus, cache: redis });
  const running = Promise.all([
    // A failed start is undone without a drain: aborting the work must stop dialling, too.
    dialling.run(AbortSignal.any([draining, working.signal]), working.signal),
    agents.runAgents(working.signal),
    agentCalls.runAgentCalls(working.signal),
    runRetention({ ...ground, ...dialling, ...retention, metrics }, working.signal),
    runContactIndexing(context, working.signal),
  ]);
  running.catch(context.fail);
  context.onDrain(() => untilNoLiveCall(dialling, working.signal));
  context.onListening(() => attendWhileListening(context, app));
  stack.defer(async () => {
    stopOutages();
    stopPool();
    stopActors();
    await stopReports();
    working.abort();
    await running;
  });
}

/** Switches ask over HTTP, so this server attends them only while it listens. */
function attendWhileListening({ stack, fail }: ServerContext, { ground, agents }: App): void {
  const leaving = new AbortController();
  // The query that answers a switch; no agent has an empty extension.
  const directory = () => agents.agents.findByExtension('');
  const attending = attendSwitches({ ...ground, ...agents, directory }, leaving.signal);
  attending.catch(fail);
  stack.defer(async () => {
    leaving.abort();
    await attending;
  });
}

/** `over` aborts when the drain's time is up and the server stops everything still running. */
async function untilNoLiveCall({ dials }: App['dialling'], over: AbortSignal): Promise<void> {
  while ((await dials.openAttempts(0, 1)).length > 0) {
    await delay(DRAIN_POLL_MS);
    if (over.aborted) return;
  }
}
