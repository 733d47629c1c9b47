import { nluService } from '#adapters/nlu/client.ts';
import { healthKey } from '#adapters/redis/keys.ts';
import { healthHandlers } from '#edges/rest/health.ts';
import { mediaHandlers } from '#edges/rest/media.ts';
import { metricsHandlers } from '#edges/rest/metrics.ts';
import { nluHandlers } from '#edges/rest/nlu.ts';
import { createHealthCheck } from '#operations/health/check-health.ts';
import { readVersion } from '../version.ts';
import type { ServerContext, ServerPart } from './context.ts';
import { mediaOf } from './settings.ts';
import type { AppState } from './app-parts.ts';

/** Life of what a probe writes, ms. */
const PROBE_LIFE_MS = 10_000;

/** Health, metrics, media addresses and the NLU listing. */
export function basePart(context: ServerContext, { cells, live, runtimes }: AppState): ServerPart {
  const { config, clock, metrics, database, redis, bus, draining } = context;
  const written = healthKey(config.server.instanceId);
  const probes = {
    database: async () => void (await database.ping()),
    // A full, read-only or demoted cache answers a ping, and nothing works with it.
    cache: async () => void (await redis.run(client => client.set(written, '1', 'PX', PROBE_LIFE_MS))),
    bus: () => (bus.isConnected() ? Promise.resolve() : Promise.reject(new Error('not connected'))),
    cells,
    live,
    runtimes,
  };
  const checkHealth = createHealthCheck({ probes, clock, metrics });
  return {
    handlers: [
      ...healthHandlers({ checkHealth, version: readVersion(), draining }),
      ...metricsHandlers({ expose: () => metrics.expose(), access: config.server.metricsAccess }),
      ...mediaHandlers(mediaOf(config)),
      ...nluHandlers({ nlu: nluService(config.nlu) }),
    ],
  };
}
