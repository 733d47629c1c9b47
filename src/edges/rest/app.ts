import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { CalloutError } from '#kernel/errors.ts';
import type { ClientAddress } from '#kernel/network.ts';
import type { Metrics } from '#ports/metrics.ts';
import type { Ports } from '#ports/ports.ts';
import { answerFailure } from './answer.ts';
import { allowOrigins } from './cors.ts';
import type { RouteHandler } from './handler.ts';
import { asCallerFault, mountRoutes, type RouterDeps } from './router.ts';
import { exchangeOf, traceRequests } from './trace.ts';

export interface AppDeps extends RouterDeps, Pick<Ports, 'clock' | 'ids' | 'log'> {
  handlers: readonly RouteHandler[];
  /** Pages and protocols that are no REST rows (API page, GraphQL), mounted before the rows. */
  mount?: readonly ((app: Express) => void)[];
  /** Answers what no row does, before that is a failure. */
  lastly?: readonly RequestHandler[];
  corsOrigins: readonly string[];
  clientAddress: ClientAddress;
  /** 0: this server knows of no TLS before it. */
  hstsMaxAgeSeconds: number;
  metrics: Metrics;
}

/** The HTTP application of the outbound server: everything of OCS 4 hangs on it. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(traceRequests(deps));
  // Pages are served over plain HTTP on private networks: no upgrade of their assets.
  app.use(
    helmet({
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
      strictTransportSecurity: deps.hstsMaxAgeSeconds > 0 && { maxAge: deps.hstsMaxAgeSeconds },
    }),
  );
  app.use(allowOrigins(deps.corsOrigins));
  // They are few and the rows are many: whoever stands behind these is matched against each of them.
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
