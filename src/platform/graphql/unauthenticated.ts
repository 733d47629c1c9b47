import { createHash } from 'node:crypto';
import {
  BREAK,
  type DocumentNode,
  execute,
  getIntrospectionQuery,
  GraphQLError,
  type GraphQLSchema,
  type IntrospectionOptions,
  Kind,
  parse,
  visit,
} from 'graphql';
import { assert } from '#kernel/assert.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { networkOf } from '#kernel/network.ts';
import { type DocumentRequest, hashOf, refusedDocument, sha256Of, unknownHash } from './known-documents.ts';
import type { GraphSettings } from './prepare.ts';

/** Options with which common tools request a schema. */
const VARIANTS: readonly IntrospectionOptions[] = [
  {},
  { descriptions: false },
  { inputValueDeprecation: true },
  { schemaDescription: true, inputValueDeprecation: true },
  { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true },
  { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true },
];

/** Answers to the documents with which tools explore a schema, each executed once; null for any other text. */
interface IntrospectionAnswers {
  byText(text: string): Buffer | null;
  byHash(sha256: string): Buffer | null;
}

/** Why: clients without a session get the schema without making the server parse, validate or execute anything */
function createIntrospectionAnswers(schema: GraphQLSchema): IntrospectionAnswers {
  const texts = VARIANTS.map(options => getIntrospectionQuery(options));
  const bySpelling = new Map(texts.map(text => [spellingOf(text), text]));
  const bySum = new Map(texts.map(text => [createHash('sha256').update(text).digest('hex'), text]));
  const answers = new Map<string, Buffer>();
  const answerTo = (text: string | undefined): Buffer | null => {
    if (text === undefined) return null;
    const known = answers.get(text) ?? answerOf(schema, text);
    answers.set(text, known);
    return known;
  };
  return { byText: text => answerTo(bySpelling.get(spellingOf(text))), byHash: sum => answerTo(bySum.get(sum)) };
}

/** Normalises white space and commas, which matter in GraphQL only between words. */
function spellingOf(text: string): string {
  return text
    .replaceAll(/[\s,]+/g, ' ')
    .replaceAll(/ ?([{}():.]) ?/g, '$1')
    .trim();
}

function answerOf(schema: GraphQLSchema, text: string): Buffer {
  const result = execute({ schema, document: parse(text) });
  assert(!('then' in result) && !result.errors, 'introspection needs no waiting and cannot fail');
  return Buffer.from(JSON.stringify({ data: result.data }));
}

const WINDOW_MS = 10_000;
const WINDOWS_PER_MINUTE = 60_000 / WINDOW_MS;
/** The limit of all unauthenticated clients together, as a multiple of the limit of one address. */
const ADDRESSES_AT_LIMIT = 10;
/** Most addresses that are counted separately in one window; further addresses share one count. */
const MAX_ADDRESSES = 10_000;

export interface UnauthenticatedBudget {
  /** Charges `cost` to an address without a session. Errors: RATE_LIMITED, with the seconds until the window ends */
  take(address: string | null, cost: number): void;
}

/**
 * Limits the work done for unauthenticated clients, per address and in total; 0 sets no limit.
 *
 * Why: their work slows down the calls that this process dials
 */
export function createUnauthenticatedBudget({ perMinute, clock }: { perMinute: number; clock: Clock }): UnauthenticatedBudget {
  const perWindow = perMinute / WINDOWS_PER_MINUTE;
  let windowEndsAt = 0;
  let all = 0;
  const taken = new Map<string, number>();
  const begin = (now: number) => {
    taken.clear();
    all = 0;
    windowEndsAt = now + WINDOW_MS;
  };
  return {
    take(address, cost) {
      if (perMinute === 0) return;
      const now = clock.monotonic();
      if (now >= windowEndsAt) begin(now);
      const network = networkOf(address ?? '');
      const key = taken.has(network) || taken.size < MAX_ADDRESSES ? network : '';
      const own = taken.get(key) ?? 0;
      if (own + cost > perWindow || all + cost > perWindow * ADDRESSES_AT_LIMIT) throw tooMany((windowEndsAt - now) / 1_000);
      taken.set(key, own + cost);
      all += cost;
    },
  };
}

function tooMany(seconds: number): CalloutError {
  return new CalloutError('RATE_LIMITED', '未登录的请求过多，请稍后重试或登录', { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) });
}

/** Largest request without a session, in bytes. */
const MAX_UNAUTHENTICATED_REQUEST_BYTES = 1_024;
/** Largest body that is read without a session: introspection documents are larger, but recognised instead of parsed. */
export const MAX_UNAUTHENTICATED_BODY_BYTES = 4_096;
const MAX_UNAUTHENTICATED_TOKENS = 100;
/** Cost of an introspection answer in the budget of an address; any other request costs one. */
export const INTROSPECTION_COST = 50;

/** Most documents registered by hash without a session, all of them short. */
const MAX_REGISTERED_DOCUMENTS = 100;

/** A ready answer, or the text to execute; null when there is no document. */
type AdmittedRequest = { answer: Buffer } | { text: string | null };

/**
 * Handles requests without a session: short documents, and the schema from memory.
 *
 * Why:    parsing and validating costs much more than looking up a session, and such work must not delay a dial. That only `me` is
 *         answered is left to the guard, as for a session that lacks a permission
 * Errors: PAYLOAD_TOO_LARGE; UNAUTHENTICATED for fragments and for introspection that is not in memory; GraphQLError for too many tokens or
 *         an unknown hash
 */
export class UnauthenticatedRequests {
  readonly #introspectionAnswers: IntrospectionAnswers | null;
  readonly #isListed: boolean;
  readonly #documents: Map<string, string>;

  constructor(schema: GraphQLSchema, { introspection, documents }: GraphSettings) {
    this.#introspectionAnswers = introspection && documents.length === 0 ? createIntrospectionAnswers(schema) : null;
    this.#isListed = documents.length > 0;
    this.#documents = new Map(documents.map(text => [sha256Of(text), text]));
  }

  admit(request: DocumentRequest, bytes: number): AdmittedRequest {
    const { query: text } = request;
    const hash = hashOf(request);
    const ready =
      typeof text === 'string' ? this.#introspectionAnswers?.byText(text) : hash === null ? null : this.#introspectionAnswers?.byHash(hash);
    if (ready) return { answer: ready };
    if (bytes > MAX_UNAUTHENTICATED_REQUEST_BYTES) throw new CalloutError('PAYLOAD_TOO_LARGE', '未登录的请求不能超过 1 KiB');
    if (typeof text === 'string') return { text: this.#register(requireShort(text)) };
    return { text: hash === null ? null : this.#find(hash) };
  }

  #find(hash: string): string {
    const text = this.#documents.get(hash);
    return requireShort(text ?? unknownHash());
  }

  /** Registers a document by its hash, unless only listed documents are allowed. */
  #register(text: string): string {
    if (!this.#isListed && this.#documents.size < MAX_REGISTERED_DOCUMENTS) this.#documents.set(sha256Of(text), text);
    return text;
  }
}

function requireShort(text: string): string {
  const document = parseShort(text);
  // A syntax error is reported when the document is executed.
  if (document && !isFlat(document)) throw new CalloutError('UNAUTHENTICATED', '未登录或登录已失效');
  return text;
}

function parseShort(text: string): DocumentNode | null {
  try {
    return parse(text, { maxTokens: MAX_UNAUTHENTICATED_TOKENS, noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes('Parsing aborted')) {
      throw refusedDocument(
        `未登录的查询过长：最多 ${MAX_UNAUTHENTICATED_TOKENS} 个词`,
        `Without a session a document has at most ${MAX_UNAUTHENTICATED_TOKENS} tokens.`,
      );
    }
    return null;
  }
}

/** Whether the document stays as small as its text: no fragments to spread, no introspection of lists. */
function isFlat(document: DocumentNode): boolean {
  let isSmall = document.definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  visit(document, {
    Field({ name, selectionSet }) {
      const isDeep = selectionSet?.selections.some(each => each.kind !== Kind.FIELD || each.selectionSet !== undefined) ?? false;
      if (!name.value.startsWith('__') || !isDeep) return undefined;
      isSmall = false;
      return BREAK;
    },
  });
  return isSmall;
}

/** Most unauthenticated sockets of one process, and of one address. */
const MAX_UNAUTHENTICATED = 1_000;
const MAX_UNAUTHENTICATED_OF_ADDRESS = 100;
/** Most bytes that an unauthenticated socket may send. */
export const MAX_UNAUTHENTICATED_SOCKET_BYTES = 4_096;

/** Counts sockets from their opening to their authentication. */
export class UnauthenticatedSockets {
  readonly #byNetwork = new Map<string, number>();
  #all = 0;

  /** Returns a function that frees the place, effective once; null when there is no place. */
  enter(address: string | null): (() => void) | null {
    const network = networkOf(address ?? '');
    const own = this.#byNetwork.get(network) ?? 0;
    if (this.#all >= MAX_UNAUTHENTICATED || own >= MAX_UNAUTHENTICATED_OF_ADDRESS) return null;
    this.#all += 1;
    this.#byNetwork.set(network, own + 1);
    let isIn = true;
    return () => {
      if (isIn) this.#leave(network);
      isIn = false;
    };
  }

  #leave(network: string): void {
    this.#all -= 1;
    const left = (this.#byNetwork.get(network) ?? 1) - 1;
    if (left === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, left);
  }
}
