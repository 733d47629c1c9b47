import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { execute, type ExecutionResult, getOperationAST, GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError, isCalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { ClientAddress } from '#kernel/network.ts';
import type { Caller, CallerOrigin } from '#kernel/caller.ts';
import { CLOSE, SocketLink } from './socket-link.ts';
import type { CreateContext, OperationContext } from './context.ts';
import { presentError } from './errors.ts';
import { languageOf } from './language.ts';
import { MAX_UNAUTHENTICATED_SOCKET_BYTES, UnauthenticatedSockets } from './unauthenticated.ts';
import { type KnownDocuments, textOf } from './known-documents.ts';
import { type GraphSettings, OperationPreparer, type Prepared } from './prepare.ts';
import {
  type Admitted,
  type StartedOperation,
  MAX_OPERATIONS,
  type OperationPayload,
  type ProtocolHost,
  ProtocolSession,
} from './protocol-session.ts';
import { Subscriber } from './subscribe.ts';
import { bearerToken } from '../http/authorize.ts';
import { cookieToken } from '../http/session-cookie.ts';
import type { SessionWatch, StreamPlaces } from '../http/stream-guards.ts';

/** Largest message of a client, in bytes; lists of contacts are sent over HTTP. */
const MAX_MESSAGE_BYTES = 256 * 1024;
/** Most sockets of one process. */
const MAX_SOCKETS = 10_000;
const RETRY_AFTER_SECONDS = 3;

export interface GraphSocketOptions {
  callerOf(token: string | null, origin: CallerOrigin): Promise<Caller | null>;
  /** Counts an operation as a request. Errors: RATE_LIMITED */
  countRequest(caller: Caller): void;
  clientAddress: ClientAddress;
  sessionWatch: Pick<SessionWatch, 'watch'>;
  streamPlaces: StreamPlaces;
  /** Aborts when the server begins to stop. */
  draining: AbortSignal;
  clock: Clock;
  ids: IdSource;
  log: Log;
}

/** Creates the context of each operation, and finds the documents that clients name by their hash. */
interface Served {
  createContext: CreateContext;
  documents: KnownDocuments;
}

export interface GraphSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/**
 * GraphQL over graphql-transport-ws.
 *
 * Why: the protocol's library gives each operation an iterator of its own and keeps its message until it ends; here subscribers share the
 *      bytes of an event, and a socket handles the end of its session and slow clients
 */
export function createGraphSockets(schema: GraphQLSchema, settings: GraphSettings, options: GraphSocketOptions & Served): GraphSockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false, handleProtocols });
  const links = new Set<SocketLink>();
  const unauthenticated = new UnauthenticatedSockets();
  const host = protocolHost(schema, settings, options);
  const closeAll = () => {
    for (const link of links) link.close(CLOSE.goingAway);
  };
  options.draining.addEventListener('abort', closeAll, { once: true });
  const opened = (socket: WebSocket, { leave, ...opening }: Opening) => {
    const link = new SocketLink(socket, opening, options);
    link.limitUntilAcknowledged(MAX_UNAUTHENTICATED_SOCKET_BYTES, leave);
    links.add(link);
    link.onEnd(() => links.delete(link));
    if (socket.protocol === GRAPHQL_TRANSPORT_WS_PROTOCOL) serve(link);
    else link.close(CLOSE.otherProtocol);
  };
  const serve = (link: SocketLink) => {
    const session = new ProtocolSession(link, host);
    link.onEnd(() => session.end());
    link.onMessage(text => {
      session.handleMessage(text).catch((error: unknown) => {
        options.log.error({ err: error }, 'a message of a GraphQL socket could not be handled');
        link.close(CLOSE.internal);
      });
    });
  };
  return {
    upgrade(request, socket, head) {
      const ip = options.clientAddress(request);
      const leave = options.draining.aborted || links.size >= MAX_SOCKETS ? null : unauthenticated.enter(ip);
      if (leave === null) return refuse(socket);
      // Frees the place also when the handshake fails and opens no socket.
      socket.once('close', leave);
      sockets.handleUpgrade(request, socket, head, webSocket =>
        opened(webSocket, { connection: socket, ip, ...headersOf(request), leave }),
      );
    },
    close: closeAll,
  };
}

interface Opening {
  connection: Duplex;
  ip: string | null;
  acceptLanguage: string | undefined;
  cookies: string | undefined;
  /** Frees the place among the unauthenticated sockets. */
  leave: () => void;
}

function headersOf({ headers }: IncomingMessage): Pick<Opening, 'acceptLanguage' | 'cookies'> {
  return { acceptLanguage: headers['accept-language'], cookies: headers.cookie };
}

function refuse(socket: Duplex): void {
  socket.end(`HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${RETRY_AFTER_SECONDS}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function protocolHost(schema: GraphQLSchema, settings: GraphSettings, options: GraphSocketOptions & Served): ProtocolHost {
  const preparer = new OperationPreparer(schema, settings);
  const present = (error: unknown, recipient: Pick<OperationContext, 'traceId' | 'language'>) =>
    presentError(error, { ...recipient, schema }, fault =>
      options.log.error({ err: fault, traceId: recipient.traceId }, 'a GraphQL field failed'),
    );
  const presentResult = (
    { errors, data, extensions }: ExecutionResult,
    { traceId, language }: Pick<OperationContext, 'traceId' | 'language'>,
  ) => ({
    ...(data === undefined ? {} : { data }),
    ...(extensions === undefined ? {} : { extensions }),
    ...(errors ? { errors: errors.map(error => present(error, { traceId, language })) } : {}),
  });
  const renewContext = (context: OperationContext) => options.createContext(context);
  const subscriber = new Subscriber(schema, { clock: options.clock, renewContext, present: presentResult });
  return {
    clock: options.clock,
    admit: (link, params) => admit(options, link, params),
    refuseExcess: language => ({ errors: [present(tooMany(), { traceId: options.ids(), language })] }),
    async startOperation(payload: OperationPayload, { caller, language }: Admitted): Promise<StartedOperation> {
      const recipient = { traceId: options.ids(), language };
      const refusal = refusalOf(options, caller);
      if (refusal) return { errors: [present(refusal, recipient)] };
      const prepared = await prepare(preparer, options.documents, payload);
      if (!('operation' in prepared)) return { errors: prepared.map(error => present(error, recipient)) };
      const { operation, cost } = prepared;
      const contextValue = options.createContext({ caller: { ...caller, traceId: recipient.traceId }, ...recipient });
      const isStream = getOperationAST(operation.document, operation.operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
      const result = isStream
        ? await subscriber.subscribe({ ...operation, contextValue })
        : await execute({ schema, ...operation, contextValue });
      return typeof result === 'function' ? { join: result } : { answer: presentResult({ ...result, extensions: { cost } }, contextValue) };
    },
  };
}

async function prepare(
  preparer: OperationPreparer,
  documents: KnownDocuments,
  payload: OperationPayload,
): Promise<Prepared | readonly GraphQLError[]> {
  try {
    return preparer.prepare({ ...payload, query: await textOf(documents, payload) });
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/**
 * Admits a client that has a session, and closes its socket when the session ends.
 *
 * Why: the session is read again after the watch is set, so that an end in between is not missed
 */
async function admit(
  options: GraphSocketOptions,
  link: SocketLink,
  params: Readonly<Record<string, unknown>> | undefined,
): Promise<Admitted | null> {
  const token = tokenOf(link.cookies, params);
  const origin = { ip: link.ip, traceId: options.ids() };
  try {
    const caller = await options.callerOf(token, origin);
    if (caller) link.onEnd(options.streamPlaces.take(caller));
    if (caller) link.onEnd(options.sessionWatch.watch(caller.sessionId, () => link.close(CLOSE.sessionEnded)));
    const language = languageOf(params?.['acceptLanguage'] ?? link.acceptLanguage);
    if (caller && (await options.callerOf(token, origin))) return { caller, language };
    link.close(CLOSE.unauthorized);
  } catch (error) {
    if (isCalloutError(error, 'RATE_LIMITED')) return refuseOneTooMany(link);
    options.log.warn({ err: error }, 'a GraphQL socket could not be admitted');
    link.close(CLOSE.tryAgainLater);
  }
  return null;
}

function refuseOneTooMany(link: SocketLink): null {
  link.close(CLOSE.tooManySockets);
  return null;
}

/** The session token of the connection parameters, or of the cookie when they carry the page's proof. Source: D3.5, D3.8 */
function tokenOf(cookies: string | undefined, params: Readonly<Record<string, unknown>> | undefined): string | null {
  const header = params?.['authorization'] ?? params?.['Authorization'];
  return typeof header === 'string' ? bearerToken(header) : cookieToken(cookies, params?.['session']);
}

/** The error when the operation exceeds the caller's request limit; null when it does not. */
function refusalOf(options: GraphSocketOptions, caller: Caller): CalloutError | null {
  try {
    options.countRequest(caller);
    return null;
  } catch (error) {
    if (isCalloutError(error, 'RATE_LIMITED')) return error;
    throw error;
  }
}

function tooMany(): GraphQLError {
  return new GraphQLError(`每个连接最多同时 ${MAX_OPERATIONS} 个订阅`, { extensions: { code: 'SUBSCRIPTION_LIMIT' } });
}
