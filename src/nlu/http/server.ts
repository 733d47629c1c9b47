import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { NluFailure } from '#protocol/nlu.ts';
import { CalloutError, invalidArgument, isCalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { ProfileRegistry } from '../profiles.ts';
import { refuseBrokenRequest } from './broken-request.ts';
import { type NluRoute, nluRoutes } from './routes.ts';
import { NLU_STATUS } from './status.ts';
import { tokenGuard } from './token.ts';

/** Named imports from `node:http` would evaluate all its exports and load its WebSocket client: 14 MiB. */
const { createServer } = process.getBuiltinModule('node:http');

/** Time limit for a client to send its whole request, in ms. */
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_CONNECTIONS_EVERY_MS = 1_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

export interface NluServerParts {
  profiles: ProfileRegistry;
  /** Empty when no token is required. */
  token: string;
  ids: IdSource;
  log: Log;
  requestTimeoutMs?: number;
}

/**
 * Creates the HTTP server of the NLU service, not yet listening.
 *
 * Why:    plain node:http, because an Express pipeline costs more than a decision
 * Source: NLU §4, §7, D13.5
 */
export function nluServer({ profiles, token, ids, log, requestTimeoutMs = REQUEST_TIMEOUT_MS }: NluServerParts): Server {
  const routes = nluRoutes(profiles);
  const requireToken = tokenGuard(token);
  const atTurnsEnd = gatheredWrites();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const route = findRoute(routes, request);
      if (route.needsToken) requireToken(request);
      const data = await route.handle(request);
      atTurnsEnd(() => send(response, 200, { ok: true, data }));
    } catch (error) {
      sendFailure(request, response, error, { ids, log });
    }
  };
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(CHECK_CONNECTIONS_EVERY_MS, requestTimeoutMs),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Node would reject a request without a Host header outside the envelope; this service does not need the header.
      requireHostHeader: false,
    },
    (request, response) => void answer(request, response),
  );
  server.on('clientError', refuseBrokenRequest);
  server.on('checkExpectation', (request, response) =>
    sendFailure(request, response, invalidArgument('Expect', 'only', { value: '100-continue' }), { ids, log }),
  );
  return server;
}

function findRoute(routes: ReadonlyMap<string, NluRoute>, request: IncomingMessage): NluRoute {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  const path = (query < 0 ? url : url.slice(0, query)).replace(/%3a/i, ':');
  const route = routes.get(path);
  if (!route) throw new CalloutError('NOT_FOUND', '路径不存在');
  if (request.method === route.method || (request.method === 'HEAD' && route.method === 'GET')) return route;
  throw new CalloutError('METHOD_NOT_ALLOWED', `不支持的方法，应为 ${route.method}`, { cause: route.method });
}

function sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown, parts: Pick<NluServerParts, 'ids' | 'log'>): void {
  const failure = isCalloutError(error) ? error : unexpected(error, parts);
  if (failure.code === 'METHOD_NOT_ALLOWED') response.setHeader('allow', String(failure.cause));
  if (failure.retryAfterSeconds !== undefined) response.setHeader('retry-after', failure.retryAfterSeconds);
  if (failure.code === 'PAYLOAD_TOO_LARGE') response.setHeader('connection', 'close');
  // The rest of a rejected body is discarded, so that the connection stays usable.
  if (!request.complete) request.resume();
  const body: NluFailure = { ok: false, error: failure.message };
  send(response, NLU_STATUS[failure.code], body);
}

function unexpected(error: unknown, { ids, log }: Pick<NluServerParts, 'ids' | 'log'>): CalloutError {
  const traceId = ids();
  log.error({ traceId, err: error }, 'nlu request failed');
  return new CalloutError('INTERNAL', `服务内部错误（追踪号 ${traceId}）`);
}

/**
 * Collects writes and performs them together at the end of the event loop's turn.
 *
 * Why: a write wakes the client's process; writes that follow at once find it awake and cost half as much
 */
function gatheredWrites(): (write: () => void) => void {
  let waiting: (() => void)[] = [];
  const writeAll = (): void => {
    const ready = waiting;
    waiting = [];
    for (const write of ready) write();
  };
  return write => {
    waiting.push(write);
    if (waiting.length === 1) setImmediate(writeAll);
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
