import { metricsRoute } from './metrics.ts';
import { ANSWERED, rawHandler, type RouteHandler } from '#platform/http/handler.ts';

/** Prometheus text at /metrics. */
export function metricsHandlers(deps: {
  expose: () => Promise<{ contentType: string; body: string }>;
  access: 'public' | 'internal';
}): RouteHandler[] {
  return [
    rawHandler(metricsRoute(deps.access), async ({ response }) => {
      const { contentType, body } = await deps.expose();
      response.setHeader('Content-Type', contentType);
      response.end(body);
      return ANSWERED;
    }),
  ];
}
