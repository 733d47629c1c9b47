import { nluService } from '#adapters/nlu/client.ts';
import { healthHandlers } from '#edges/rest/health.ts';
import { mediaHandlers } from '#edges/rest/media.ts';
import { metricsHandlers } from '#edges/rest/metrics.ts';
import { nluHandlers } from '#edges/rest/nlu.ts';
import { createHealthCheck } from '#operations/health/check-health.ts';
import { readVersion } from '../version.ts';
import type { ServerContext, ServerPart } from './context.ts';
import { mediaOf } from './media.ts';
import type { ProductState } from './product-parts.ts';

/** Health, metrics, media addresses and the NLU listing. */
export function basePart(context: ServerContext, { cells, live }: ProductState): ServerPart {
  const { config, clock, metrics, database, redis, bus, draining } = context;
  const probes = {
    database: async () => void (await database.ping()),
    cache: async () => void (await redis.run(client => client.ping())),
    bus: () => (bus.isConnected() ? Promise.resolve() : Promise.reject(new Error('not connected'))),
    cells,
    live,
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
