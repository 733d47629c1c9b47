import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { answerDataWith, answerFailure } from './answer.ts';
import type { AppDeps } from './app.ts';
import { authorizeInternal } from './authorize.ts';
import type { RestHandler, RouteHandler } from './handler.ts';
import { IDEMPOTENCY_HEADER, readBody } from './router.ts';
import { createTracer, type Exchange, exchangeHeaders, setExchangeHeaders } from './trace.ts';

/**
 * Answers the runtime's posts, thousands per second, on the same HTTP server but before Express; other requests go to `app`.
 *
 * Why:    Express and its middleware cost as much as the rest of such a request (bench/progress). Token, limits, validation, envelope, trace
 *         id, log, metrics and drain use the same functions; requests that need more (CORS, query string, idempotency key) use Express
 * Source: A9, OCS 4.11, 4.12
 */
export function hotPathBefore(app: RequestListener, deps: AppDeps): RequestListener {
  const trace = createTracer(deps);
  const hot = new Map(deps.handlers.filter(isHot).map(handler => [handler.route.path, handler]));
  return (request, response) => {
    const handler = isPlain(request) ? hot.get(request.url ?? '') : undefined;
    if (handler) void answer(handler, { request, response, exchange: trace(request, response) }, deps);
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

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  exchange: Exchange;
}

async function answer(handler: RestHandler, { request, response, exchange }: Asked, deps: AppDeps): Promise<void> {
  const { route } = handler;
  exchange.route = route.path;
  try {
    const caller = authorizeInternal(deps.gate, request, { ip: exchange.ip, traceId: exchange.traceId });
    const body = await readBody(route, request);
    const data = await handler.handle({ params: {}, query: {}, body, caller, token: null });
    deps.onAnswer?.(route, data);
    answerDataWith(exchangeHeaders(exchange), response, data);
  } catch (error) {
    exchange.failure = error;
    setExchangeHeaders(exchange, response);
    answerFailure(response, error, exchange.traceId);
  }
}
