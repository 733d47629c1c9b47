import { BREAK, type DocumentNode, GraphQLError, type GraphQLSchema, Kind, parse, visit } from 'graphql';
import { CalloutError } from '#kernel/errors.ts';
import { createIntrospectionAnswers, type IntrospectionAnswers } from './introspection-answers.ts';
import type { GraphSettings } from './prepare.ts';
import { type DocumentAsked, hashOf, sumOf, unknownHash } from './persisted-documents.ts';
import { refusedDocument } from './refused-document.ts';

/** Largest request without a session, in bytes. */
export const MAX_STRANGER_BYTES = 1_024;
/** Largest body that is read without a session: introspection documents are larger, but recognised instead of parsed. */
export const MAX_STRANGER_READ_BYTES = 4_096;
const MAX_STRANGER_TOKENS = 100;
/** Cost of an introspection answer in the budget of an address; any other request costs one. */
export const INTROSPECTION_COST = 50;

/** Most documents registered by hash without a session, all of them short. */
const MAX_KNOWN_TEXTS = 100;

/** A ready answer, or the text to execute; null when there is no document. */
export type StrangerVerdict = { answer: Buffer } | { text: string | null };

/**
 * Handles requests without a session: short documents, and the schema from memory.
 *
 * Why:    parsing and validating costs much more than looking up a session, and such work must not delay a dial. That only `me` is
 *         answered is left to the guard, as for a session that lacks a permission
 * Errors: PAYLOAD_TOO_LARGE; UNAUTHENTICATED for fragments and for introspection that is not in memory; GraphQLError for too many tokens or
 *         an unknown hash
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

  /** Registers a document by its hash, unless only listed documents are allowed. */
  #known(text: string): string {
    if (!this.#isListed && this.#texts.size < MAX_KNOWN_TEXTS) this.#texts.set(sumOf(text), text);
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

/** Whether the document stays as small as its text: no fragments to spread, no introspection of lists. */
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
