import { BREAK, type DocumentNode, GraphQLError, type GraphQLSchema, Kind, parse, visit } from 'graphql';
import { CalloutError } from '#kernel/errors.ts';
import { createIntrospectionAnswers, type IntrospectionAnswers } from './introspection-answers.ts';
import type { GraphSettings } from './prepare.ts';
import { type DocumentAsked, hashOf, sumOf, unknownHash } from './persisted-documents.ts';
import { refusedDocument } from './refused-document.ts';

/** What nobody in particular may send, bytes. */
export const MAX_STRANGER_BYTES = 1_024;
/** An introspection document is larger, and is recognised, not read. */
export const MAX_STRANGER_READ_BYTES = 4_096;
const MAX_STRANGER_TOKENS = 100;
/** What the answer to an introspection costs of an address's budget; anything else costs one. */
export const INTROSPECTION_COST = 50;

/** Documents that strangers made known by their hash, all of them short. */
const MAX_KNOWN_TEXTS = 100;

/** An answer that is ready, or the text to execute; null for what is no request. */
export type StrangerVerdict = { answer: Buffer } | { text: string | null };

/**
 * What is done for people without a session: short documents, and the schema from memory.
 *
 * Why:    parsing and validating costs much more than asking for a session, and a stranger's work must not delay a dial. That nothing but `me` is answered
 *         is the guard's, as with a session that lacks a permission
 * Errors: PAYLOAD_TOO_LARGE; UNAUTHENTICATED for fragments and for introspection that is not from memory; GraphQLError for too many tokens, a hash that is
 *         not known
 */
export class Strangers {
  readonly #answers: IntrospectionAnswers | null;
  readonly #isListed: boolean;
  readonly #texts: Map<string, string>;

  constructor(schema: GraphQLSchema, { introspection, documents }: GraphSettings) {
    this.#answers = introspection && documents.length === 0 ? createIntrospectionAnswers(schema) : null;
    this.#isListed = documents.length > 0;
    this.#texts = new Map(documents.map(text => [sumOf(text), text]));
  }

  judge(asks: DocumentAsked, bytes: number): StrangerVerdict {
    const { query: text } = asks;
    const hash = hashOf(asks);
    const ready = typeof text === 'string' ? this.#answers?.byText(text) : hash === null ? null : this.#answers?.byHash(hash);
    if (ready) return { answer: ready };
    if (bytes > MAX_STRANGER_BYTES) throw new CalloutError('PAYLOAD_TOO_LARGE', '未登录的请求不能超过 1 KiB');
    if (typeof text === 'string') return { text: this.#known(requireShort(text)) };
    return { text: hash === null ? null : this.#find(hash) };
  }

  #find(hash: string): string {
    const text = this.#texts.get(hash);
    return requireShort(text ?? unknownHash());
  }

  /** With a list of documents, nothing joins it. */
  #known(text: string): string {
    if (!this.#isListed && this.#texts.size < MAX_KNOWN_TEXTS) this.#texts.set(sumOf(text), text);
    return text;
  }
}

function requireShort(text: string): string {
  const document = parseShort(text);
  // A syntax error is reported by whoever executes.
  if (document && !isFlat(document)) throw new CalloutError('UNAUTHENTICATED', '未登录或登录已失效');
  return text;
}

function parseShort(text: string): DocumentNode | null {
  try {
    return parse(text, { maxTokens: MAX_STRANGER_TOKENS, noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes('Parsing aborted')) {
      throw refusedDocument(
        `未登录的查询过长：最多 ${MAX_STRANGER_TOKENS} 个词`,
        `Without a session a document has at most ${MAX_STRANGER_TOKENS} tokens.`,
      );
    }
    return null;
  }
}

/** Nothing in it becomes more than it says: no fragments to spread, no introspection of lists. */
function isFlat(document: DocumentNode): boolean {
  let isModest = document.definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  visit(document, {
    Field({ name, selectionSet }) {
      const isDeep = selectionSet?.selections.some(each => each.kind !== Kind.FIELD || each.selectionSet !== undefined) ?? false;
      if (!name.value.startsWith('__') || !isDeep) return undefined;
      isModest = false;
      return BREAK;
    },
  });
  return isModest;
}
