import { GraphQLError } from 'graphql';
import { CalloutError } from '#kernel/errors.ts';
import { requireMergeable } from './merge-limit.ts';
import { parseDocument } from './parse-document.ts';

/** Most documents remembered as acceptable: dashboards send the same few again and again. */
const MAX_VALIDATED_DOCUMENTS = 500;
/** Longest document that is remembered, in characters. */
const MAX_VALIDATED_LENGTH = 16_384;

/**
 * Checks documents before GraphQL validates them; a document that cannot be parsed is left to GraphQL.
 *
 * Why: Apollo has no hook between parsing and validation that could refuse a document
 */
export class DocumentValidator {
  readonly #validated = new Set<string>();

  /** Errors: GraphQLError for a document whose validation would take long */
  validate(text: string): void {
    if (this.#validated.has(text)) return;
    const document = tryParse(text);
    if (!document) return;
    requireMergeable(document);
    if (text.length <= MAX_VALIDATED_LENGTH) this.#remember(text);
  }

  #remember(text: string): void {
    this.#validated.add(text);
    const [oldest] = this.#validated;
    if (this.#validated.size > MAX_VALIDATED_DOCUMENTS && oldest !== undefined) this.#validated.delete(oldest);
  }
}

function tryParse(text: string) {
  try {
    return parseDocument(text, { noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError && error.originalError instanceof CalloutError) throw error;
    return null; // a syntax error is reported when the document is executed
  }
}
