import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import type { Request, RequestHandler, Response } from 'express';
import { type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { CalloutError, type ErrorCode } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import type { Caller, CallerOrigin } from '#kernel/caller.ts';
import {
  INTROSPECTION_COST,
  MAX_UNAUTHENTICATED_BODY_BYTES,
  type UnauthenticatedBudget,
  UnauthenticatedRequests,
} from './unauthenticated.ts';
import type { CreateContext, OperationContext } from './context.ts';
import { GRAPH_CODES, isGraphCode, type Recipient, type PresentedError, presentError } from './errors.ts';
import { type FieldAccess, rulesOfUploads } from './guard.ts';
import { executeIncrementally, limitRules, MAX_TOKENS, requireAffordable, requireInitialCount } from './limits.ts';
import { languageOf } from './language.ts';
import { type KnownDocuments, listedDocumentCache, refusedDocument, REGISTERED_FOR_SECONDS } from './known-documents.ts';
import type { GraphSettings } from './prepare.ts';
import { type MultipartForm, withFile } from './scalars.ts';
import { DocumentValidator } from './document-validator.ts';
import { sentToken } from '../http/authorize.ts';
import { discardRest } from '../http/bodies.ts';
import { SESSION_HEADER } from '../http/session-cookie.ts';
import { membersOf } from '#kernel/typed.ts';

/** Fits 10,000 contacts that are sent as variables (D2.2 "contact paste"). */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Most operations of one request; they run concurrently and share the cost limit of one. */
const MAX_BATCH = 10;

/** Prefix of Apollo Server's keys for documents that are known by their hash. */
const HASHED = 'apq:';

const STATUS_OK = 200;
const STATUS_BAD_REQUEST = 400;

/** Headers that a browser cannot send to another site without a preflight; clients such as urql send the first one with GET. */
const PREFLIGHTED_HEADERS = ['authorization', SESSION_HEADER, 'apollo-require-preflight', 'x-apollo-operation-name'];

/** Services of the HTTP application: sessions, body readers, exchanges, statuses. */
export interface GraphHttpOptions {
  callerOf(token: string | null, origin: CallerOrigin): Promise<Caller | null>;
  /** Counts each operation of a batch as a request. Errors: RATE_LIMITED */
  countRequest(caller: Caller): void;
  readJson(request: IncomingMessage, limitBytes: number): Promise<unknown>;
  /** Reads a form with one file, of any field name. */
  readForm(request: IncomingMessage): Promise<MultipartForm>;
  exchangeOf(response: Response): { traceId: string; ip: string | null; route: string; userId: number | null };
  statusOf(code: ErrorCode): number;
  unauthenticatedBudget: UnauthenticatedBudget;
  log: Log;
}

/** Limits how many files are received at once. Errors: RATE_LIMITED */
export interface UploadQueue {
  receive<T>(caller: Pick<Caller, 'userId'>, read: () => Promise<T>): Promise<T>;
}

export interface GraphHttp {
  serve: RequestHandler;
  /** Documents of automatic persisted queries, or of the configured list. */
  documents: KnownDocuments;
  stop(): Promise<void>;
}

/** State that the operations of one request share. */
interface RequestState extends Recipient {
  isBatch: boolean;
  /** Cost of the operations accepted so far. */
  cost: number;
}

/**
 * GraphQL over HTTP: Apollo Server behind the application's own body reader, sessions and error messages.
 *
 * Why: a request that a browser could send without a preflight is refused
 */
export async function createGraphHttp(
  schema: GraphQLSchema,
  settings: GraphSettings,
  { createContext, uploads, http }: { createContext: CreateContext; uploads: UploadQueue; http: GraphHttpOptions },
): Promise<GraphHttp> {
  const requestStates = new AsyncLocalStorage<RequestState>();
  const present = (error: unknown) => presentAndLog(error, requestStates.getStore() ?? { traceId: '', language: 'zh', schema }, http.log);
  const listed = settings.documents.length > 0 && listedDocumentCache(settings.documents);
  const server = new ApolloServer<OperationContext>({
    schema,
    introspection: settings.introspection,
    hideSchemaDetailsFromClientErrors: !settings.introspection,
    validationRules: limitRules(settings),
    parseOptions: { maxTokens: MAX_TOKENS },
    csrfPrevention: { requestHeaders: PREFLIGHTED_HEADERS },
    allowBatchedHttpRequests: true,
    legacyExperimentalExecuteIncrementally: executeIncrementally,
    plugins: [ApolloServerPluginLandingPageDisabled(), costPlugin(settings, requestStates), statusPlugin(requestStates)],
    formatError: (_formatted, error) => present(error),
    persistedQueries: { ttl: REGISTERED_FOR_SECONDS, ...(listed && { cache: listed }) },
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    nodeEnv: 'production',
    stringifyResult: result => JSON.stringify(result),
    logger: apolloLog(http.log),
  });
  await server.start();
  const documents = listed || server.cache;
  const contexts = new WeakMap<Request, OperationContext>();
  const admission = {
    unauthenticated: new UnauthenticatedRequests(schema, settings),
    validator: new DocumentValidator(),
    uploads: rulesOfUploads(schema),
  };
  const middleware = expressMiddleware(server, { context: ({ req }) => Promise.resolve(contextOf(contexts, req)) });
  return {
    serve: async (request, response, next) => {
      const exchange = http.exchangeOf(response);
      exchange.route = '/graphql';
      const { traceId } = exchange;
      const language = languageOf(request.headers['accept-language']);
      try {
        const caller = await http.callerOf(sentToken(request.headers), { ip: exchange.ip, traceId });
        exchange.userId = caller?.userId ?? null;
        const ready = caller
          ? await readRequest(http, admission, { request, caller, queue: uploads })
          : await readUnauthenticatedRequest(http, admission, { request, ip: exchange.ip });
        if (ready !== null) return sendReadyAnswer(response, ready);
        contexts.set(request, createContext({ caller, traceId, language }));
        const state = { traceId, language, schema, isBatch: Array.isArray(request.body), cost: 0 };
        await requestStates.run(state, () => middleware(request, response, next));
      } catch (error) {
        sendFault(response, http, presentAndLog(error, { traceId, language, schema }, http.log));
      }
    },
    documents: {
      get: hash => documents.get(`${HASHED}${hash}`),
      set: (hash, text) => documents.set(`${HASHED}${hash}`, text, { ttl: REGISTERED_FOR_SECONDS }),
    },
    stop: () => server.stop(),
  };
}

interface Admission {
  unauthenticated: UnauthenticatedRequests;
  validator: DocumentValidator;
  /** Rules of the fields that take a file. */
  uploads: readonly FieldAccess[];
}

/**
 * Checked before a file is received, because an upload takes a place and only the form itself names the field. Errors: FORBIDDEN for a
 * caller who may use none of the fields that take a file
 */
function requireUploader(uploads: readonly FieldAccess[], caller: Caller): void {
  const isAllowed = (access: FieldAccess) => access === 'public' || access === 'session' || caller.permissions.has(access);
  if (!uploads.some(isAllowed)) throw new CalloutError('FORBIDDEN', `没有权限：需要 ${uploads.join(' 或 ')}`);
}

/** Members of a GraphQL request, from its body or from its address. */
function parametersOf({ method, body, query }: Request): Readonly<Record<string, unknown>> {
  return method === 'GET' ? query : membersOf(body);
}

/** Reads a request of a known caller: its session is checked before much of the body is read. */
async function readRequest(
  http: GraphHttpOptions,
  { validator, uploads }: Admission,
  { request, caller, queue }: { request: Request; caller: Caller; queue: UploadQueue },
): Promise<null> {
  const isForm = request.method === 'POST' && typeof request.is('multipart/form-data') === 'string';
  if (isForm) requireUploader(uploads, caller);
  request.body = isForm
    ? withFile(await queue.receive(caller, () => http.readForm(request)))
    : await http.readJson(request, MAX_BODY_BYTES);
  const operations: unknown[] = Array.isArray(request.body) ? request.body : [parametersOf(request)];
  if (operations.length > MAX_BATCH) throw tooManyOperations(operations.length);
  for (const [index, operation] of operations.entries()) {
    const { query } = membersOf(operation);
    if (index > 0) http.countRequest(caller);
    if (typeof query === 'string') validator.validate(query);
  }
  return null;
}

const tooManyOperations = (count: number) =>
  refusedDocument(`一次最多 ${MAX_BATCH} 个操作：收到 ${count} 个`, `A request has ${count} operations, at most ${MAX_BATCH} are allowed.`);

/** Reads a request without a session; returns a ready answer, or null when the request is to be executed. */
async function readUnauthenticatedRequest(
  http: GraphHttpOptions,
  { unauthenticated }: Admission,
  { request, ip }: { request: Request; ip: string | null },
): Promise<Buffer | null> {
  http.unauthenticatedBudget.take(ip, 1);
  request.body = await http.readJson(request, MAX_UNAUTHENTICATED_BODY_BYTES);
  if (Array.isArray(request.body)) throw new CalloutError('UNAUTHENTICATED', '未登录或登录已失效');
  const parameters = parametersOf(request);
  const admitted = unauthenticated.admit({ ...parameters, extensions: extensionsOf(parameters) }, bytesOf(request));
  if ('answer' in admitted) {
    http.unauthenticatedBudget.take(ip, INTROSPECTION_COST - 1);
    return admitted.answer;
  }
  // A document that is sent by hash alone is looked up among those that clients without a session may use.
  if (admitted.text !== null && parameters['query'] === undefined) replaceDocument(request, admitted.text);
  return null;
}

/** Replaces the document of a request. Express parses the address anew at each access to `query`, so that property is redefined. */
function replaceDocument(request: Request, text: string): void {
  const { extensions: _extensions, ...parameters } = parametersOf(request);
  if (request.method === 'GET') Object.defineProperty(request, 'query', { value: { ...parameters, query: text } });
  else request.body = { ...parameters, query: text };
}

/** Extensions of a request; in an address they are JSON. */
function extensionsOf({ extensions }: Readonly<Record<string, unknown>>): unknown {
  if (typeof extensions !== 'string') return extensions;
  try {
    return JSON.parse(extensions);
  } catch {
    return undefined; // refused when the request is executed
  }
}

function bytesOf({ method, body, originalUrl }: Request): number {
  return method === 'GET' ? originalUrl.length : Buffer.byteLength(JSON.stringify(body));
}

function sendReadyAnswer(response: Response, json: Buffer): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', json.length);
  response.end(json);
}

function contextOf(contexts: WeakMap<Request, OperationContext>, request: Request): OperationContext {
  const context = contexts.get(request);
  if (!context) throw new Error('a request without a context');
  return context;
}

/** Answers a request that cannot be executed, because of its body or the session store. */
function sendFault(response: Response, http: GraphHttpOptions, fault: PresentedError): void {
  discardRest(response.req);
  const { code, retryAfterSeconds } = fault.extensions;
  // Same status as for a field refused for lack of a session or permission, because the request itself is well-formed.
  const isOfField = code === 'UNAUTHENTICATED' || code === 'FORBIDDEN';
  response.statusCode = isOfField ? STATUS_OK : isGraphCode(code) ? GRAPH_CODES[code].status : http.statusOf(code);
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ errors: [fault], ...(isOfField ? { data: null } : {}) }));
}

function presentAndLog(error: unknown, listener: Recipient, log: Log): PresentedError {
  const { traceId } = listener;
  return presentError(error, listener, fault => log.error({ err: fault, traceId }, 'a GraphQL field failed'));
}

const socketOnly = (operation: OperationDefinitionNode) =>
  refusedDocument(
    '订阅只能通过 WebSocket（graphql-transport-ws 协议）进行',
    'Subscriptions are served over WebSocket alone (graphql-transport-ws).',
    operation,
  );

/**
 * Checks what depends on the operation, and its complexity, which depends on the variables, once they are known; the answer reports the
 * cost.
 */
function costPlugin(settings: GraphSettings, requestStates: AsyncLocalStorage<RequestState>): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: () => {
      let cost: number | undefined;
      return Promise.resolve({
        didResolveOperation: ({ schema, document, operation, operationName, request }) => {
          if (operation?.operation === OperationTypeNode.SUBSCRIPTION) throw socketOnly(operation);
          const state = requestStates.getStore();
          cost = requireAffordable({ schema, document, operationName, variables: request.variables }, settings, state?.cost);
          if (state) state.cost += cost;
          requireInitialCount({ schema, document, operation, variables: request.variables });
          return Promise.resolve();
        },
        willSendResponse({ response: { body } }) {
          const result = body.kind === 'single' ? body.singleResult : body.initialResult;
          if (cost !== undefined) result.extensions = { ...result.extensions, cost };
          return Promise.resolve();
        },
      });
    },
  };
}

/**
 * A well-formed request with a faulty document gets 200 from a client that accepts `application/json`, and 400 from any other; a batch
 * always gets 200.
 *
 * Source: GraphQL over HTTP, "application/json"
 */
function statusPlugin(requestStates: AsyncLocalStorage<RequestState>): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        willSendResponse: ({ request, response }) => {
          const accepted = request.http?.headers.get('accept') ?? '';
          const isLegacy = accepted.includes('application/json') && !accepted.includes('application/graphql-response+json');
          const isWellFormed = isLegacy || requestStates.getStore()?.isBatch === true;
          if (isWellFormed && response.http.status === STATUS_BAD_REQUEST) response.http.status = STATUS_OK;
          return Promise.resolve();
        },
      }),
  };
}

function apolloLog(log: Log) {
  const to = (level: 'debug' | 'info' | 'warn' | 'error') => (message?: unknown) => log[level]({ component: 'graphql' }, String(message));
  return { debug: to('debug'), info: to('debug'), warn: to('warn'), error: to('error') };
}
