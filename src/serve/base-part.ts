import { nluService } from '#scripts/nlu-client.ts';
import { healthHandlers, metricsHandlers } from '#health/routes.ts';
import { mediaHandlers } from '#recordings/routes.ts';
import { nluHandlers } from '#scripts/routes.ts';
import { readVersion } from '#platform/version.ts';
import type { ServerContext, ServerPart } from '#app/context.ts';
import type { Health } from '#app/health.ts';
import { mediaOf } from '#app/settings.ts';

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
