import { metricsRoute } from '#contract/rest/metrics.ts';
import { ANSWERED, rawHandler, type RouteHandler } from './handler.ts';

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
