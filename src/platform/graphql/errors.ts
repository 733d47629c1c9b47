import {
  getDirectiveValues,
  getNamedType,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLFormattedError,
  type GraphQLObjectType,
  type GraphQLSchema,
  isUnionType,
} from 'graphql';
import { assert } from '#kernel/assert.ts';
import { CalloutError, ERROR_CODES, invalidInput, type Reason } from '#kernel/errors.ts';
import type { Language } from '#kernel/problem.ts';
import type { OperationContext } from './context.ts';
import { messageOf, type PresentedFault, severalFaults } from './language.ts';

type Resolver = GraphQLFieldResolver<unknown, OperationContext>;

/**
 * Turns refusals that a user must handle into members of a mutation's result: the first member of its union whose `@refusal` names the
 * failure's reason, or else its code. Any other failure stays an error.
 *
 * Shape: an object is the member that its `__typename` names, or else the first of its union
 * Errors: Error when a refusal has no `@refusal`
 */
export function attachOutcomes(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isUnionType(type)) type.resolveType = (value: { __typename?: string }) => value.__typename ?? type.getTypes()[0]?.name;
  }
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const result = getNamedType(field.type);
    if (!isUnionType(result) || !field.resolve) continue;
    const [, ...refusals] = result.getTypes();
    field.resolve = refusing(field.resolve, new Map(refusals.flatMap(type => causesOf(schema, type)).toReversed()));
  }
}

function causesOf(schema: GraphQLSchema, { name, astNode }: GraphQLObjectType): (readonly [cause: string, name: string])[] {
  const directive = schema.getDirective('refusal');
  const { reasons, codes } = (astNode && directive && getDirectiveValues(directive, astNode)) ?? {};
  assert(Array.isArray(reasons) && Array.isArray(codes), `${name} has no @refusal`);
  return [...reasons, ...codes].map(cause => [String(cause), name]);
}

function refusing(resolve: Resolver, names: ReadonlyMap<string, string>): Resolver {
  return async (source, args, context, info) => {
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      if (!(error instanceof CalloutError)) throw error;
      const { code, reason = code, field, faults } = error;
      const name = names.get(reason) ?? names.get(code);
      if (name === undefined) throw error;
      const { language } = context;
      return {
        __typename: name,
        code,
        reason,
        message: messageOf(error, language, info.schema),
        field,
        faults: severalFaults(faults, language),
      };
    }
  };
}

/** Failures that exist only at this edge, in addition to the catalogue. */
export const GRAPH_CODES = {
  /** The socket has its maximum of subscriptions. */
  SUBSCRIPTION_LIMIT: { retryable: false, status: 429 },
  /** The operation costs more than the limit; `extensions` carries its cost and the limit. */
  COST_LIMIT: { retryable: false, status: 400 },
} as const satisfies Record<string, { retryable: boolean; status: number }>;

const CODES = { ...ERROR_CODES, ...GRAPH_CODES };
type GraphCode = keyof typeof CODES;

/** A failure as a client receives it. */
export interface PresentedError extends GraphQLFormattedError {
  message: string;
  extensions: {
    code: GraphCode;
    traceId: string;
    retryable: boolean;
    reason?: Reason;
    field?: string;
    faults?: readonly PresentedFault[];
    retryAfterSeconds?: number;
    cost?: number;
    limit?: number;
  };
}

/** Recipient of a failure. */
export interface Recipient {
  traceId: string;
  language: Language;
  schema: GraphQLSchema;
}

/**
 * Presents a failure in the words of the catalogue; the text of any other error stays in the logs, through `onFault`.
 *
 * Shape:  documents and variables that GraphQL itself refuses are INVALID_ARGUMENT
 * Source: D2.1
 */
export function presentError(error: unknown, { traceId, language, schema }: Recipient, onFault: (fault: unknown) => void): PresentedError {
  const known = toCatalogueError(error);
  if (known.code === 'INTERNAL') onFault(known.cause ?? known);
  const { message, reason, field, retryAfterSeconds } = known;
  const faults = severalFaults(known.faults, language);
  const code = ownCodeOf(error) ?? known.code;
  return {
    message: cut(language === 'en' ? inEnglish(schema, error, known) : message),
    ...placeOf(error),
    extensions: {
      code,
      traceId,
      retryable: CODES[code].retryable,
      ...(reason === undefined ? {} : { reason }),
      ...(field === undefined ? {} : { field }),
      ...(faults.length === 0 ? {} : { faults }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...costOf(error),
    },
  };
}

/** Longest message, in characters: a message may quote a whole value that the client sent. */
const MAX_MESSAGE_LENGTH = 1_000;

function cut(message: string): string {
  return message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`;
}

/** GraphQL's own messages are English already, and this edge's rules have an English text beside the Chinese one. */
function inEnglish(schema: GraphQLSchema, error: unknown, known: CalloutError): string {
  const { message, extensions = {} }: Partial<GraphQLError> = error instanceof GraphQLError ? error : {};
  const own = extensions['english'];
  if (typeof own === 'string') return own;
  const isOfGraphql = rootOf(error) instanceof GraphQLError && known.code === 'INVALID_ARGUMENT';
  if (isOfGraphql && message !== undefined && ownCodeOf(error) === null) return message;
  const { code, reason, field, faults } = known;
  if (known.message === UNKNOWN_HASH_MESSAGE) return known.message;
  return messageOf({ code: ownCodeOf(error) ?? code, reason, field, faults, message: known.message }, 'en', schema);
}

function costOf(error: unknown): { cost?: number; limit?: number } {
  if (ownCodeOf(error) !== 'COST_LIMIT' || !(error instanceof GraphQLError)) return {};
  const { cost, limit } = error.extensions;
  return { cost: Number(cost), limit: Number(limit) };
}

function ownCodeOf(error: unknown): keyof typeof GRAPH_CODES | null {
  const code = error instanceof GraphQLError ? error.extensions['code'] : null;
  return isGraphCode(code) ? code : null;
}

export function isGraphCode(code: unknown): code is keyof typeof GRAPH_CODES {
  return typeof code === 'string' && code in GRAPH_CODES;
}

function placeOf(error: unknown): Pick<GraphQLFormattedError, 'locations' | 'path'> {
  if (!(error instanceof GraphQLError)) return {};
  const { locations, path } = error;
  return { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) };
}

function toCatalogueError(error: unknown): CalloutError {
  const cause = rootOf(error);
  if (ownCodeOf(error) !== null && error instanceof GraphQLError) return new CalloutError('INVALID_ARGUMENT', error.message);
  if (cause instanceof CalloutError) return namedByVariable(error, cause);
  const isOfDocument = cause instanceof GraphQLError && cause.path === undefined && cause.extensions['code'] !== 'INTERNAL_SERVER_ERROR';
  if (!isOfDocument) return new CalloutError('INTERNAL', '服务器内部错误', { cause });
  // The text by which clients of automatic persisted queries know that they must send the whole document.
  if (cause.extensions['code'] === UNKNOWN_HASH) return new CalloutError('NOT_FOUND', UNKNOWN_HASH_MESSAGE);
  return httpStatusOf(cause) === 405
    ? new CalloutError('METHOD_NOT_ALLOWED', '不支持的请求方法：变更只能用 POST')
    : new CalloutError('INVALID_ARGUMENT', `GraphQL 请求不合法：${error instanceof GraphQLError ? error.message : cause.message}`);
}

/** GraphQL's message for an invalid variable: its name and, inside an object, the path. */
const VARIABLE = /^Variable "\$(\w+)" got invalid value (?:[\s\S]* at "([^"]+)"; )?/;

/** Names the variable, or the member of it, that the client has to correct: a scalar knows only its own name (D2.1). */
function namedByVariable(error: unknown, cause: CalloutError): CalloutError {
  const [, variable, place = variable] = VARIABLE.exec(error instanceof GraphQLError ? error.message : '') ?? [];
  const [fault] = cause.faults;
  return place === undefined || fault === undefined ? cause : invalidInput([{ ...fault, field: place }]);
}

const UNKNOWN_HASH = 'PERSISTED_QUERY_NOT_FOUND';
const UNKNOWN_HASH_MESSAGE = 'PersistedQueryNotFound';

/** The error that was originally thrown, inside GraphQL's wrappers. */
function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof GraphQLError && root.originalError) root = root.originalError;
  return root;
}

function httpStatusOf({ extensions }: GraphQLError): unknown {
  const http: unknown = extensions['http'];
  return typeof http === 'object' && http !== null && 'status' in http ? http.status : undefined;
}
