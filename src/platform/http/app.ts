import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { CalloutError } from '#kernel/errors.ts';
import type { ClientAddress } from '#kernel/network.ts';
import type { Metrics } from '../metrics.ts';
import type { Platform } from '../platform.ts';
import { authorizeInternal } from './authorize.ts';
import { answerDataWith, answerFailure, type RestHandler, type RouteHandler } from './handler.ts';
import { asCallerFault, IDEMPOTENCY_HEADER, mountRoutes, readBody, type RouterOptions } from './router.ts';
import { createTracer, type Exchange, exchangeHeaders, exchangeOf, setExchangeHeaders, traceRequests } from './trace.ts';

const ALLOWED_METHODS = 'GET, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id';
const EXPOSED_HEADERS = 'X-Request-Id, Retry-After, ETag';
const PREFLIGHT_CACHE_SECONDS = 600;

/**
 * Answers every OPTIONS with 204 and lets the configured origins read responses; `*` allows every origin.
 *
 * Source: D2.8
 */
function allowOrigins(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request, response, next) => {
    const origin = request.headers.origin;
    const isAllowed = origin !== undefined && (allowed.has(origin) || allowed.has('*'));
    if (allowed.size > 0) response.vary('Origin');
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    if (request.method !== 'OPTIONS') return next();
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Methods', ALLOWED_METHODS);
      response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
      response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_CACHE_SECONDS));
    }
    response.statusCode = 204;
    response.end();
  };
}

export interface HttpAppOptions extends RouterOptions, Pick<Platform, 'clock' | 'ids' | 'log'> {
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
export function createApp(options: HttpAppOptions): Express {
  const app = express();
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(traceRequests(options));
  // Pages may be served over plain HTTP on private networks, so their assets are not upgraded to HTTPS.
  app.use(
    helmet({
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
      strictTransportSecurity: options.hstsMaxAgeSeconds > 0 && { maxAge: options.hstsMaxAgeSeconds },
    }),
  );
  app.use(allowOrigins(options.corsOrigins));
  // Mounted first because they are few: after the rows, their requests would be matched against each of the many rows.
  for (const mount of options.mount ?? []) mount(app);
  app.use(mountRoutes(options.handlers, options));
  for (const answer of options.lastly ?? []) app.use(answer);
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

/**
 * Answers the runtime's posts, thousands per second, on the same HTTP server but before Express; other requests go to `app`.
 *
 * Why:    Express and its middleware cost as much as the rest of such a request (bench/progress). Token, limits, validation, envelope, trace
 *         id, log, metrics and drain use the same functions; requests that need more (CORS, query string, idempotency key) use Express
 * Source: A9, OCS 4.11, 4.12
 */
export function hotPathBefore(app: RequestListener, options: HttpAppOptions): RequestListener {
  const trace = createTracer(options);
  const hot = new Map(options.handlers.filter(isHot).map(handler => [handler.route.path, handler]));
  return (request, response) => {
    const handler = isPlain(request) ? hot.get(request.url ?? '') : undefined;
    if (handler) void answer(handler, { request, response, exchange: trace(request, response) }, options);
    else app(request, response);
  };
}

/** A POST by our own programs, without parameters in path or query. */
function isHot(handler: RouteHandler): handler is RestHandler {
  const { route } = handler;
  return 'handle' in handler && route.access === 'internal' && route.method === 'POST' && !route.params && !route.query;
}

function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && headers.origin === undefined && headers[IDEMPOTENCY_HEADER] === undefined;
}

/** Our own programs have no session, and their answers no headers of a handler. */
const WITHOUT_SESSION = { token: null, usesCookie: false, setHeaders: () => undefined };

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  exchange: Exchange;
}

async function answer(handler: RestHandler, { request, response, exchange }: Asked, options: HttpAppOptions): Promise<void> {
  const { route } = handler;
  exchange.route = route.path;
  try {
    const caller = authorizeInternal(options.gate, request, { ip: exchange.ip, traceId: exchange.traceId });
    const body = await readBody(route, request);
    const data = await handler.handle({ params: {}, query: {}, body, caller, ...WITHOUT_SESSION });
    options.onAnswer?.(route, data);
    answerDataWith(exchangeHeaders(exchange), response, data);
  } catch (error) {
    exchange.failure = error;
    setExchangeHeaders(exchange, response);
    answerFailure(response, error, exchange.traceId);
  }
}
