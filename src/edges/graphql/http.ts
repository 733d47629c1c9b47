import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import type { Request, RequestHandler, Response } from 'express';
import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { ErrorCode } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import type { Caller, CallerOrigin } from '#operations/access/caller.ts';
import { bearerToken } from '#operations/access/token.ts';
import { createContext, type GraphContext, type GraphDeps } from './context.ts';
import { type PresentedError, presentError } from './errors.ts';
import { KNOWN_FOR_SECONDS, listedDocumentCache } from './listed-documents.ts';
import { limitRules, MAX_TOKENS, requireAffordable } from './limits.ts';
import type { GraphSettings } from './prepare.ts';
import { refusedDocument } from './refused-document.ts';

/** Contacts come as variables, up to 10,000 at once (D2.2 "contact paste"). */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Nobody in particular has little to say. */
const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024;

const STATUS_OK = 200;
const STATUS_BAD_REQUEST = 400;

/** What the HTTP application knows of an exchange and of failures. */
export interface GraphHttpDeps {
  callerOf(token: string | null, origin: CallerOrigin): Promise<Caller | null>;
  readJson(request: IncomingMessage, limitBytes: number): Promise<unknown>;
  exchangeOf(response: Response): { traceId: string; route: string; userId: number | null };
  statusOf(code: ErrorCode): number;
  log: Log;
}

export interface GraphHttp {
  serve: RequestHandler;
  stop(): Promise<void>;
}

/**
 * GraphQL over HTTP: Apollo Server behind the application's own body reader, sessions and error words.
 *
 * Why: batching stays off and a request that a browser could send without a preflight is refused, as Apollo does by default
 */
export async function createGraphHttp(
  schema: GraphQLSchema,
  settings: GraphSettings,
  { graph, http }: { graph: GraphDeps; http: GraphHttpDeps },
): Promise<GraphHttp> {
  const traces = new AsyncLocalStorage<string>();
  const present = (error: unknown) => presentHere(error, traces.getStore() ?? '', http.log);
  const server = new ApolloServer<GraphContext>({
    schema,
    introspection: settings.introspection,
    hideSchemaDetailsFromClientErrors: !settings.introspection,
    validationRules: limitRules(settings),
    parseOptions: { maxTokens: MAX_TOKENS },
    plugins: [ApolloServerPluginLandingPageDisabled(), affordablePlugin(settings), LEGACY_STATUS],
    formatError: (_formatted, error) => present(error),
    persistedQueries: {
      ttl: KNOWN_FOR_SECONDS,
      ...(settings.documents.length === 0 ? {} : { cache: listedDocumentCache(settings.documents) }),
    },
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    nodeEnv: 'production',
    stringifyResult: result => JSON.stringify(result),
    logger: apolloLog(http.log),
  });
  await server.start();
  const asked = new WeakMap<Request, GraphContext>();
  const middleware = expressMiddleware(server, { context: ({ req }) => Promise.resolve(contextOf(asked, req)) });
  return {
    serve: async (request, response, next) => {
      const exchange = http.exchangeOf(response);
      exchange.route = '/graphql';
      try {
        asked.set(request, await readRequest(graph, http, request, exchange));
        await traces.run(exchange.traceId, () => middleware(request, response, next));
      } catch (error) {
        answerFault(response, http, presentHere(error, exchange.traceId, http.log));
      }
    },
    stop: () => server.stop(),
  };
}

/** Who asks is known before much is read of what they say. */
async function readRequest(
  graph: GraphDeps,
  http: GraphHttpDeps,
  request: Request,
  exchange: { traceId: string; userId: number | null },
): Promise<GraphContext> {
  const token = bearerToken(request.headers.authorization);
  const { traceId } = exchange;
  const caller = await http.callerOf(token, { ip: request.ip ?? null, traceId });
  exchange.userId = caller?.userId ?? null;
  request.body = await http.readJson(request, caller ? MAX_BODY_BYTES : MAX_ANONYMOUS_BODY_BYTES);
  return createContext(graph, { caller, traceId });
}

function contextOf(asked: WeakMap<Request, GraphContext>, request: Request): GraphContext {
  const context = asked.get(request);
  if (!context) throw new Error('a request without a context');
  return context;
}

/** What cannot even be asked: the body, the session store. */
function answerFault(response: Response, http: GraphHttpDeps, fault: PresentedError): void {
  response.statusCode = http.statusOf(fault.extensions.code);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ errors: [fault] }));
}

function presentHere(error: unknown, traceId: string, log: Log): PresentedError {
  return presentError(error, traceId, fault => log.error({ err: fault, traceId }, 'a GraphQL field failed'));
}

const SOCKET_ONLY = '订阅只能通过 WebSocket（graphql-transport-ws 协议）进行';

/** What needs the operation, and complexity its variables, is judged once they are known. */
function affordablePlugin(settings: GraphSettings): ApolloServerPlugin<GraphContext> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        didResolveOperation: ({ schema, document, operation, operationName, request }) => {
          if (operation?.operation === OperationTypeNode.SUBSCRIPTION) throw refusedDocument(SOCKET_ONLY, operation);
          requireAffordable({ schema, document, operationName, variables: request.variables }, settings);
          return Promise.resolve();
        },
      }),
  };
}

/**
 * A well-formed request whose document is at fault is 200 for a client that asks for `application/json`, and 400 for all others.
 *
 * Source: GraphQL over HTTP, "application/json"
 */
const LEGACY_STATUS: ApolloServerPlugin<GraphContext> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ request, response }) => {
        const accepted = request.http?.headers.get('accept') ?? '';
        const isLegacy = accepted.includes('application/json') && !accepted.includes('application/graphql-response+json');
        if (isLegacy && response.http.status === STATUS_BAD_REQUEST) response.http.status = STATUS_OK;
        return Promise.resolve();
      },
    }),
};

function apolloLog(log: Log) {
  const to = (level: 'debug' | 'info' | 'warn' | 'error') => (message?: unknown) => log[level]({ component: 'graphql' }, String(message));
  return { debug: to('debug'), info: to('debug'), warn: to('warn'), error: to('error') };
}
