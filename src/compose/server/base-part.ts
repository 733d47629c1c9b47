import { nluService } from '#adapters/nlu/client.ts';
import { healthHandlers } from '#edges/rest/health.ts';
import { mediaHandlers } from '#edges/rest/media.ts';
import { metricsHandlers } from '#edges/rest/metrics.ts';
import { nluHandlers } from '#edges/rest/nlu.ts';
import { readVersion } from '../version.ts';
import type { ServerContext, ServerPart } from './context.ts';
import type { Health } from './health.ts';
import { mediaOf } from './settings.ts';

/** Health, metrics, media addresses and the list of NLU profiles. */
export function basePart({ config, metrics, draining }: ServerContext, health: Health): ServerPart {
  return {
    handlers: [
      ...healthHandlers({ checkHealth: health.check, version: readVersion(), draining }),
      ...metricsHandlers({ expose: () => metrics.expose(), access: config.server.metricsAccess }),
      ...mediaHandlers(mediaOf(config)),
      ...nluHandlers({ nlu: nluService(config.nlu) }),
    ],
  };
}
