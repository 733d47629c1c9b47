import type { IncomingMessage } from 'node:http';
import { type Request, type Response, Router } from 'express';
import type { RouteContract } from './route.ts';
import { parseInput, parseTexts, requireStorable } from './parse.ts';
import { CalloutError, invalidArgument, isCalloutError } from '#kernel/errors.ts';
import type { AnswerOnce } from './answer-once.ts';
import type { Caller } from '#kernel/caller.ts';
import { answerData, ANSWERED, type RouteHandler } from './handler.ts';
import { type AccessGate, authorize, presentedToken } from './authorize.ts';
import { DEFAULT_BODY_LIMIT_BYTES, readJsonBody } from './bodies.ts';
import { exchangeOf } from './trace.ts';
import type { SessionWatch } from './stream-guards.ts';
import { SESSION_HEADER } from './session-cookie.ts';

export interface RouterOptions {
  gate: AccessGate;
  /** Answers repeated POSTs with the same `Idempotency-Key` (D2.8). */
  answerOnce: AnswerOnce;
  /** Aborts when the server drains. */
  draining: AbortSignal;
  /** Ends long requests with the session that started them. */
  sessionWatch: Pick<SessionWatch, 'watch'>;
  /** Masks an answer for its caller; when absent, callers see all of it. */
  shown?: ((caller: Caller, data: unknown) => unknown) | undefined;
  /** Receives the data and contract of each response before it is sent; tests compare the two. */
  onAnswer?: ((route: RouteContract, data: unknown) => void) | undefined;
}

/**
 * Mounts one Express route per path: permission, validation, handler, envelope.
 *
 * Why:    literal paths precede `/:id` ones, whatever the order of `handlers`
 * Errors: METHOD_NOT_ALLOWED with `Allow` for another method on a known path
 * Source: D2.2
 */
export function mountRoutes(handlers: readonly RouteHandler[], options: RouterOptions): Router {
  const router = Router({ caseSensitive: true });
  const paths = Map.groupBy(handlers, ({ route }) => route.path);
  for (const path of [...paths.keys()].sort(bySpecificity)) {
    const mounted = router.route(path);
    const group = paths.get(path) ?? [];
    for (const handler of group) {
      mounted[METHODS[handler.route.method]]((request, response) => serve(handler, request, response, options));
    }
    mounted.all((_request, response) => refuseMethod(path, group, response));
  }
  return router;
}

/** Lower case, as Node delivers header names. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

function bySpecificity(a: string, b: string): number {
  const sortable = (path: string) => path.replaceAll(/:\w+/g, '\uffff');
  return sortable(a) < sortable(b) ? -1 : 1;
}

async function serve(handler: RouteHandler, request: Request, response: Response, options: RouterOptions): Promise<void> {
  const { route } = handler;
  const exchange = exchangeOf(response);
  exchange.route = route.path;
  const caller = await authorize(options.gate, route, request, { ip: exchange.ip, traceId: exchange.traceId });
  exchange.userId = caller.userId;
  const params = readParams(route, request);
  const query = readQuery(route, request);
  if ('serve' in handler) {
    const signal = AbortSignal.any([options.draining, goneSignal(response), endedSignal(options.sessionWatch, caller, response)]);
    const data = await handler.serve({ params, query, caller, request, response, signal });
    if (data !== ANSWERED && !route.stream) send({ route, caller, response }, data, options);
    return;
  }
  const body = await readBody(route, request);
  const access = { token: presentedToken(request, route), usesCookie: request.headers[SESSION_HEADER] !== undefined };
  const setHeaders = (headers: Readonly<Record<string, string>>) => void response.set(headers);
  const work = () => handler.handle({ params, query, body, caller, ...access, setHeaders });
  const key = repeatableKey(route, request);
  const data =
    key === null ? await work() : await options.answerOnce({ caller, method: route.method, path: request.originalUrl, body, key }, work);
  send({ route, caller, response }, data, options);
}

/** Public rows, such as the login, take no key: without a user, a stored answer belongs to no one, so each request is executed. */
function repeatableKey({ method, access }: RouteContract, request: Request): string | null {
  const key = request.headers[IDEMPOTENCY_HEADER];
  return method === 'POST' && access !== 'public' && typeof key === 'string' ? key : null;
}

interface Answering {
  route: RouteContract;
  caller: Caller;
  response: Response;
}

function send({ route, caller, response }: Answering, data: unknown, { onAnswer, shown }: RouterOptions): void {
  onAnswer?.(route, data);
  answerData(response, shown ? shown(caller, data) : data);
}

function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function endedSignal(sessions: RouterOptions['sessionWatch'], { sessionId }: Caller, response: Response): AbortSignal {
  const ended = new AbortController();
  response.once(
    'close',
    sessions.watch(sessionId, () => ended.abort()),
  );
  return ended.signal;
}

/** An id that is well-formed but larger than any row's leads to 404. */
function readParams(route: RouteContract, request: Request): unknown {
  if (!route.params) return {};
  requireStorable(request.params);
  const parsed = route.params.safeParse(request.params);
  const isOnlyTooBig = !parsed.success && parsed.error.issues.every(issue => issue.code === 'too_big' && issue.origin !== 'string');
  if (isOnlyTooBig) throw new CalloutError('NOT_FOUND', '资源不存在');
  return parsed.success ? parsed.data : parseInput(route.params, request.params, '路径');
}

function readQuery(route: RouteContract, request: Request): unknown {
  if (!route.query) return {};
  requireStorable(request.query);
  return parseTexts(route.query, request.query, '查询参数');
}

/** Reads and validates the body of a request; `{}` where the route has none. */
export async function readBody(route: RouteContract, request: IncomingMessage): Promise<unknown> {
  if (!route.body) return {};
  return parseInput(route.body, await readJsonBody(request, route.bodyLimit ?? DEFAULT_BODY_LIMIT_BYTES), '请求体');
}

function refuseMethod(path: string, group: readonly RouteHandler[], response: Response): never {
  const methods = new Set<string>(group.map(({ route }) => route.method));
  if (methods.has('GET')) methods.add('HEAD');
  exchangeOf(response).route = path;
  response.setHeader('Allow', [...methods, 'OPTIONS'].join(', '));
  throw new CalloutError('METHOD_NOT_ALLOWED', '不支持的请求方法');
}

/** Converts an error of Express that is the caller's fault into one of the catalogue; any other error stays as it is. */
export function asCallerFault(error: unknown): unknown {
  if (isCalloutError(error)) return error;
  // Malformed percent-encoding in the path.
  if (error instanceof URIError) return invalidArgument('路径', 'wrongEncoding');
  return error;
}
