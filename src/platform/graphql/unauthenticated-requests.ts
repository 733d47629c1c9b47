import { BREAK, type DocumentNode, GraphQLError, type GraphQLSchema, Kind, parse, visit } from 'graphql';
import { CalloutError } from '#kernel/errors.ts';
import { createIntrospectionAnswers, type IntrospectionAnswers } from './introspection-answers.ts';
import type { GraphSettings } from './prepare.ts';
import { type DocumentRequest, hashOf, sha256Of, unknownHash } from './persisted-documents.ts';
import { refusedDocument } from './refused-document.ts';

/** Largest request without a session, in bytes. */
export const MAX_UNAUTHENTICATED_REQUEST_BYTES = 1_024;
/** Largest body that is read without a session: introspection documents are larger, but recognised instead of parsed. */
export const MAX_UNAUTHENTICATED_BODY_BYTES = 4_096;
const MAX_UNAUTHENTICATED_TOKENS = 100;
/** Cost of an introspection answer in the budget of an address; any other request costs one. */
export const INTROSPECTION_COST = 50;

/** Most documents registered by hash without a session, all of them short. */
const MAX_REGISTERED_DOCUMENTS = 100;

/** A ready answer, or the text to execute; null when there is no document. */
export type AdmittedRequest = { answer: Buffer } | { text: string | null };

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
