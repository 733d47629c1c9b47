import { healthKey } from '#platform/redis/keys.ts';
import type { LiveCallsFeed } from '#calls/live-calls-feed.ts';
import { createHealthCheck, createHealthWatch, type HealthReport, type HealthWatch } from '#health/health.ts';
import { checkRuntimes } from '#runtimes/survey-runtimes.ts';
import type { ServerContext } from './context.ts';
import type { RuntimePoolPart } from '#runtimes/runtime-pool.ts';
import type { UnregisteredRuntimesPart } from '#runtimes/watch-runtimes.ts';
import type { RuntimeSettingsPart } from '#runtimes/decisions/runtime-care.ts';
import type { NluPart } from '#scripts/nlu-client.ts';
import type { Platform } from '#platform/platform.ts';

/** Time to live of a probe's key, ms. */
const PROBE_LIFE_MS = 10_000;

type HealthApp = RuntimePoolPart & UnregisteredRuntimesPart & RuntimeSettingsPart & NluPart & Pick<Platform, 'switchPort'>;

export interface Health {
  check: () => Promise<HealthReport>;
  watch: HealthWatch;
}

/** Health of the server's dependencies, for orchestrators' probes and for the console. */
export function composeHealth(context: ServerContext, app: HealthApp, liveCalls: Pick<LiveCallsFeed, 'state'>): Health {
  const { config, clock, metrics, database, redis, bus, stack } = context;
  const written = healthKey(config.server.instanceId);
  const probes = {
    database: async () => void (await database.ping()),
    // A full, read-only or demoted cache answers a ping but accepts no writes.
    cache: async () => void (await redis.run(client => client.set(written, '1', 'PX', PROBE_LIFE_MS))),
    bus: () => (bus.isConnected() ? Promise.resolve() : Promise.reject(new Error('not connected'))),
    cells: () => app.switchPort.cells(),
    live: () => liveCalls.state(),
    runtimes: () => checkRuntimes(app),
  };
  const check = createHealthCheck({ probes, clock, metrics });
  const watch = createHealthWatch({ clock, checkHealth: check, nlu: () => app.nlu.fetchCapabilities() });
  const stopping = new AbortController();
  const running = watch.run(stopping.signal);
  stack.defer(async () => {
    stopping.abort();
    await running;
  });
  return { check, watch };
}
