import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { handleProtocols, makeServer, type Context, type ServerOptions } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { Caller, CallerOrigin } from '#operations/access/caller.ts';
import type { SessionWatch } from '#operations/access/session-watch.ts';
import { bearerToken } from '#operations/access/token.ts';
import { CLOSE } from './close-codes.ts';
import { createContext, type GraphContext, type GraphDeps } from './context.ts';
import { presentError } from './errors.ts';
import { type GraphSettings, OperationPreparer } from './prepare.ts';
import { SocketLink } from './socket-link.ts';
import { Subscriber, type Subscription } from './subscribe.ts';

/** A client that does not say who it is within this is closed (4408), ms. */
const INIT_TIMEOUT_MS = 5_000;
/** One message of a client; lists of contacts go over HTTP. */
const MAX_MESSAGE_BYTES = 256 * 1024;
/** Operations of one socket at once. */
export const MAX_OPERATIONS = 32;
/** Sockets of one process. */
const MAX_SOCKETS = 10_000;
const RETRY_AFTER_SECONDS = 3;

export interface GraphSocketDeps {
  callerOf(token: string | null, origin: CallerOrigin): Promise<Caller | null>;
  sessionWatch: Pick<SessionWatch, 'watch'>;
  /** Aborts when the server begins to stop. */
  draining: AbortSignal;
  clock: Clock;
  ids: IdSource;
  log: Log;
}

export interface GraphSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

interface Asker {
  link: SocketLink;
  ip: string | null;
  caller: Caller | null;
}

type SocketContext = Context<Record<string, unknown> | undefined, Asker>;

/**
 * GraphQL over graphql-transport-ws.
 *
 * Why: the library's own adapter prints to the console and knows neither sessions nor slow readers, so the socket is ours and the protocol is the library's
 */
export function createGraphSockets(
  schema: GraphQLSchema,
  settings: GraphSettings,
  deps: GraphSocketDeps & { graph: GraphDeps },
): GraphSockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false, handleProtocols });
  const links = new Set<SocketLink>();
  const server = makeServer<Record<string, unknown> | undefined, Asker>(serverOptions(schema, settings, deps));
  const closeAll = () => {
    for (const link of links) link.close(CLOSE.goingAway);
  };
  deps.draining.addEventListener('abort', closeAll, { once: true });
  const opened = (socket: WebSocket, request: IncomingMessage, connection: Duplex) => {
    const link = new SocketLink(socket, connection, deps);
    links.add(link);
    const closed = server.opened(
      {
        protocol: link.protocol,
        send: text => link.send(text),
        close: (code = CLOSE.goingAway.code, reason = '') => link.close({ code, reason }),
        onMessage: listener => link.onMessage(listener),
      },
      { link, ip: request.socket.remoteAddress ?? null, caller: null },
    );
    link.onEnd(() => links.delete(link));
    socket.once('close', (code, reason) => {
      closed(code, reason.toString()).catch((error: unknown) => deps.log.error({ err: error }, 'a GraphQL socket could not be wound up'));
    });
  };
  return {
    upgrade(request, socket, head) {
      if (deps.draining.aborted || links.size >= MAX_SOCKETS) refuse(socket);
      else sockets.handleUpgrade(request, socket, head, webSocket => opened(webSocket, request, socket));
    },
    close: closeAll,
  };
}

function refuse(socket: Duplex): void {
  socket.end(`HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${RETRY_AFTER_SECONDS}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function serverOptions(
  schema: GraphQLSchema,
  settings: GraphSettings,
  deps: GraphSocketDeps & { graph: GraphDeps },
): ServerOptions<Record<string, unknown> | undefined, Asker> {
  const preparer = new OperationPreparer(schema, settings);
  const present = (error: unknown, traceId: string) =>
    presentError(error, traceId, fault => deps.log.error({ err: fault, traceId }, 'a GraphQL field failed'));
  const presentResult = ({ errors, data, extensions }: ExecutedResult, { traceId }: Pick<GraphContext, 'traceId'>) => ({
    ...(data === undefined ? {} : { data }),
    ...(extensions === undefined ? {} : { extensions }),
    ...(errors ? { errors: errors.map(error => present(error, traceId)) } : {}),
  });
  const renewContext = (context: GraphContext) => createContext(deps.graph, context);
  const subscriber = new Subscriber(schema, { clock: deps.clock, renewContext, present: presentResult });
  return {
    schema,
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    onConnect: context => admit(deps, context),
    onSubscribe: (context, id, payload) => {
      if (Object.keys(context.subscriptions).length > MAX_OPERATIONS) return [tooMany()];
      const prepared = preparer.prepare(payload);
      if (!('document' in prepared)) return prepared;
      return { schema, ...prepared, contextValue: contextOf(deps, context), id, link: context.extra.link };
    },
    // What onSubscribe has put together comes back as it is.
    subscribe: args => subscriber.subscribe(args as unknown as Subscription),
    onError: (_context, _id, _payload, errors) => {
      const traceId = deps.ids();
      return errors.map(error => present(error, traceId));
    },
    onNext: (_context, _id, _payload, args, result) =>
      result.errors ? presentResult(result, args.contextValue as GraphContext) : undefined,
  };
}

interface ExecutedResult {
  errors?: readonly GraphQLError[] | undefined;
  data?: Record<string, unknown> | null | undefined;
  extensions?: Record<string, unknown> | undefined;
}

/**
 * Lets a client in that has a session, and out when the session ends.
 *
 * Why: the session is looked at once more after the watch is set, so that an end in between is not missed
 */
async function admit(deps: GraphSocketDeps, { connectionParams, extra }: SocketContext): Promise<boolean> {
  const { link } = extra;
  const token = tokenOf(connectionParams);
  const origin = { ip: extra.ip, traceId: deps.ids() };
  try {
    const caller = await deps.callerOf(token, origin);
    if (caller) link.onEnd(deps.sessionWatch.watch(caller.sessionId, () => link.close(CLOSE.sessionEnded)));
    if (!caller || !(await deps.callerOf(token, origin))) {
      link.close(CLOSE.unauthorized);
      return false;
    }
    Object.assign(extra, { caller });
    return true;
  } catch (error) {
    deps.log.warn({ err: error }, 'a GraphQL socket could not be admitted');
    link.close(CLOSE.tryAgainLater);
    return false;
  }
}

/** D3.5. */
function tokenOf(params: Readonly<Record<string, unknown>> | undefined): string | null {
  const header = params?.['authorization'] ?? params?.['Authorization'];
  return typeof header === 'string' ? bearerToken(header) : null;
}

function contextOf(deps: GraphSocketDeps & { graph: GraphDeps }, { extra }: SocketContext) {
  const traceId = deps.ids();
  return createContext(deps.graph, { caller: extra.caller && { ...extra.caller, traceId }, traceId });
}

function tooMany(): GraphQLError {
  const fault = new CalloutError('RATE_LIMITED', `每个连接最多同时 ${MAX_OPERATIONS} 个订阅`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return new GraphQLError(fault.message, { originalError: fault });
}
