import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { isCalloutError } from '#kernel/errors.ts';
import type { ClientAddress } from '#kernel/network.ts';
import { limitedLog, type Log } from '#kernel/log.ts';
import { inTrace, traceOf } from '#kernel/trace.ts';
import type { Metrics } from '../metrics.ts';
import type { Platform } from '../platform.ts';

export interface TraceOptions extends Pick<Platform, 'clock' | 'ids' | 'log'> {
  clientAddress: ClientAddress;
  metrics: Metrics;
}

/** Data of one request and its response. */
export interface Exchange {
  traceId: string;
  /** Address of the client, resolved through trusted proxies. */
  ip: string | null;
  /** Path of the contract, `/api/campaigns/:id`: the URL itself may contain a token or a phone number. */
  route: string;
  userId: number | null;
  /** The error, for the log; null also when a 503 is the regular answer, as for /health. */
  failure: unknown;
}

/** Form of an accepted request id; any other is replaced, because ids go into logs and headers. */
const ACCEPTED_ID = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Assigns each request its trace id, returns it in `X-Request-Id`, and logs and counts the response.
 *
 * Why:    changes by users are logged at info; reads, and the runtime's thousands of reports per second, at debug
 * Source: D2.1
 */
export function traceRequests(options: TraceOptions): RequestHandler {
  const begin = createTracer(options);
  return (request, response, next) => {
    const exchange = begin(request, response);
    setExchangeHeaders(exchange, response);
    response.locals['exchange'] = exchange;
    inTrace(traceOf(exchange.traceId, options.ids), next);
  };
}

export type Tracer = (request: IncomingMessage, response: ServerResponse) => Exchange;

/** Does the work of `traceRequests` for requests that bypass Express; their handler must send `exchangeHeaders` itself. */
export function createTracer(options: TraceOptions): Tracer {
  // While a store is unavailable every request fails: the log holds a limited number of them, the metrics count all.
  const whole = { ...options, refusals: limitedLog(options.log, options.clock) };
  return (request, response) => beginExchange(whole, request, response);
}

function beginExchange(options: TraceOptions & { refusals: Log }, request: IncomingMessage, response: ServerResponse): Exchange {
  const startedAt = options.clock.monotonic();
  const asked = request.headers['x-request-id'];
  const exchange: Exchange = {
    traceId: typeof asked === 'string' && ACCEPTED_ID.test(asked) ? asked : options.ids(),
    ip: options.clientAddress(request),
    route: 'unknown',
    userId: null,
    failure: null,
  };
  const { method = '' } = request;
  response.on('close', () =>
    observe(options, exchange, { method, status: response.statusCode, seconds: (options.clock.monotonic() - startedAt) / 1000 }),
  );
  return exchange;
}

/** Headers of every response, as a flat list of names and values. */
export function exchangeHeaders({ traceId }: Exchange): string[] {
  return ['X-Request-Id', traceId, 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];
}

export function setExchangeHeaders(exchange: Exchange, response: ServerResponse): void {
  const headers = exchangeHeaders(exchange);
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

export function exchangeOf(response: Response): Exchange {
  // Set by traceRequests, which is mounted first.
  return response.locals['exchange'] as Exchange;
}

function observe(
  options: TraceOptions & { refusals: Log },
  exchange: Exchange,
  answer: { method: string; status: number; seconds: number },
): void {
  const { traceId, route, userId, failure } = exchange;
  const { method, status, seconds } = answer;
  options.metrics.requestAnswered({ method, route, status, seconds });
  const fields = { traceId, method, route, status, ms: Math.round(seconds * 1000), ...(userId === null ? {} : { userId }) };
  // An unavailable dependency is not a bug of ours.
  if (status >= 500 && isCalloutError(failure))
    options.refusals.warn({ ...fields, err: failure }, 'request refused because a dependency is unavailable');
  else if (failure !== null && status >= 500) options.log.error({ ...fields, err: failure }, 'request failed');
  else if (userId !== null && method !== 'GET' && method !== 'HEAD') options.log.info(fields, 'request answered');
  else options.log.debug(fields, 'request answered');
}
