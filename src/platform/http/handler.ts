import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, type ErrorCode } from '#kernel/errors.ts';
import { discardRest } from './bodies.ts';
import { failure, type RouteContract, success } from './route.ts';

/**
 * HTTP status of every code of the catalogue.
 *
 * Source: OCS 7, D2.1, D2.2, D2.7, D3.3
 */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  NOTHING_TO_CALL: 409,
  CAMPAIGN_ARCHIVED: 409,
  CAMPAIGN_RUNNING: 409,
  POLICY_FORBIDS: 409,
  LOCK_CONTENDED: 409,
  GONE: 410,
  STALE_EPOCH: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  SWITCH_UNAVAILABLE: 502,
  DOWNSTREAM_INVALID: 502,
  DATABASE_UNAVAILABLE: 503,
  CACHE_UNAVAILABLE: 503,
  BUS_UNAVAILABLE: 503,
  SERVER_STOPPING: 503,
  DOWNSTREAM_TIMEOUT: 504,
};

export function answerData(response: ServerResponse, data: unknown): void {
  writeJson(response, 200, success(data ?? null));
}

/** Like `answerData`, for a response without headers so far: written at once, they need not be stored by name first. */
export function answerDataWith(headers: readonly string[], response: ServerResponse, data: unknown): void {
  const text = JSON.stringify(success(data ?? null));
  response.writeHead(200, ['Content-Type', JSON_TYPE, 'Content-Length', String(Buffer.byteLength(text)), ...headers]);
  response.end(text);
}

/**
 * Answers with a failure; the text of an error outside the catalogue stays in the logs.
 *
 * Shape:  a 5xx carries `（追踪号 <id>）`; RATE_LIMITED carries `Retry-After`
 * Source: D2.1
 */
export function answerFailure(response: ServerResponse, error: unknown, traceId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const known = error instanceof CalloutError ? error : new CalloutError('INTERNAL', '服务器内部错误', { cause: error });
  const status = STATUS_OF[known.code];
  if (known.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(known.retryAfterSeconds));
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  discardRest(response.req);
  const msg = status >= 500 ? `${known.message}（追踪号 ${traceId}）` : known.message;
  const body = failure(status, msg, known.reason ?? known.code);
  // OCS 4.8 rule 1 requires an `error` text; D7.5 puts it beside the envelope's members.
  writeJson(response, status, known.code === 'POLICY_FORBIDS' ? { ...body, error: msg } : body);
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function writeJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Input of a handler, validated against the route's contract. */
interface RestRequest<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  caller: Caller;
  /** The session token as sent, for the access handlers; null when there is none. */
  token: string | null;
  /** The page asks for the session in a cookie, or has it there. */
  usesCookie: boolean;
  /** Adds headers to the response. */
  setHeaders: (headers: Readonly<Record<string, string>>) => void;
}

/** A route with its handler; the router mounts nothing else. */
export interface RestHandler {
  route: RouteContract;
  /** Resolves to the envelope's `data`. */
  handle(request: RestRequest<unknown, unknown, unknown>): Promise<unknown>;
}

/** Like `RestRequest`, for a handler that reads the body or writes the response itself: uploads, streams, conditional GETs. */
export interface RawRequest<Params, Query> {
  params: Params;
  query: Query;
  caller: Caller;
  request: IncomingMessage;
  response: ServerResponse;
  /** Aborts when the client disconnects, its session ends or the server drains. */
  signal: AbortSignal;
}

/** Result of a raw handler that has sent the response itself. */
export const ANSWERED = Symbol('answered');

interface RawHandler {
  route: RouteContract;
  /** Resolves to the envelope's `data`, or to ANSWERED. */
  serve(request: RawRequest<unknown, unknown>): Promise<unknown>;
}

export type RouteHandler = RestHandler | RawHandler;

/** Joins a contract with its handler: the contract gives the types and encodes the result. */
export function handler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  route: RouteContract<P, Q, B, D>,
  handle: (request: RestRequest<z.output<P>, z.output<Q>, z.output<B>>) => Promise<z.output<D>>,
): RestHandler {
  return {
    route,
    // The router has parsed params, query and body with this same contract.
    handle: async request => z.encode(route.data, await handle(request as RestRequest<z.output<P>, z.output<Q>, z.output<B>>)),
  };
}

/** Like `handler`, for a raw handler; the contract's `body` is then only documentation. */
export function rawHandler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  route: RouteContract<P, Q, B, D>,
  serve: (request: RawRequest<z.output<P>, z.output<Q>>) => Promise<z.output<D> | typeof ANSWERED>,
): RawHandler {
  return {
    route,
    serve: async request => {
      const answer = await serve(request as RawRequest<z.output<P>, z.output<Q>>);
      return answer === ANSWERED ? ANSWERED : z.encode(route.data, answer);
    },
  };
}
