import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { CalloutError } from '#kernel/errors.ts';
import type { ClientAddress } from '#kernel/network.ts';
import type { Metrics } from '../ports-metrics.ts';
import type { Platform } from '../platform.ts';
import { answerFailure } from './answer.ts';
import { allowOrigins } from './cors.ts';
import type { RouteHandler } from './handler.ts';
import { asCallerFault, mountRoutes, type RouterDeps } from './router.ts';
import { exchangeOf, traceRequests } from './trace.ts';

export interface AppDeps extends RouterDeps, Pick<Platform, 'clock' | 'ids' | 'log'> {
  handlers: readonly RouteHandler[];
  /** Pages and protocols that are not REST rows (API page, GraphQL), mounted before the rows. */
  mount?: readonly ((app: Express) => void)[];
  /** Handlers for requests that no row matches, tried before such a request fails. */
  lastly?: readonly RequestHandler[];
  corsOrigins: readonly string[];
  clientAddress: ClientAddress;
  /** 0 when no TLS proxy is configured in front of this server. */
  hstsMaxAgeSeconds: number;
  metrics: Metrics;
}

/** The HTTP application of the outbound server, which serves everything of OCS 4. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(traceRequests(deps));
  // Pages may be served over plain HTTP on private networks, so their assets are not upgraded to HTTPS.
  app.use(
    helmet({
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
      strictTransportSecurity: deps.hstsMaxAgeSeconds > 0 && { maxAge: deps.hstsMaxAgeSeconds },
    }),
  );
  app.use(allowOrigins(deps.corsOrigins));
  // Mounted first because they are few: after the rows, their requests would be matched against each of the many rows.
  for (const mount of deps.mount ?? []) mount(app);
  app.use(mountRoutes(deps.handlers, deps));
  for (const answer of deps.lastly ?? []) app.use(answer);
  app.use(() => {
    throw new CalloutError('NOT_FOUND', '接口不存在');
  });
  app.use(sendFailure);
  return app;
}

const sendFailure: ErrorRequestHandler = (error, _request, response, _next) => {
  const exchange = exchangeOf(response);
  exchange.failure = error;
  answerFailure(response, asCallerFault(error), exchange.traceId);
};
