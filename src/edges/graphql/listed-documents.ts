import type { ASTVisitor, DocumentNode, ValidationContext } from 'graphql';
import { sumOf } from './persisted-documents.ts';
import { refusedDocument } from './refused-document.ts';

/** Documents that clients have made known by their hash are kept this long after their last use, s. */
export const KNOWN_FOR_SECONDS = 24 * 3_600;

const unlisted = (document: DocumentNode) => refusedDocument('只执行登记过的查询文档', 'Only listed documents are executed.', document);

/** Only documents of the list are valid; an empty list allows every document. */
export function limitToListed(context: ValidationContext, documents: readonly string[]): ASTVisitor {
  if (documents.length === 0) return {};
  return {
    Document(document) {
      const text = document.loc?.source.body;
      if (text === undefined || !documents.includes(text)) context.reportError(unlisted(document));
    },
  };
}

/**
 * The listed documents by their SHA-256, as automatic persisted queries look them up; what clients register is not kept.
 *
 * Shape: keys end with the hash
 */
export function listedDocumentCache(documents: readonly string[]) {
  const byHash = new Map(documents.map(text => [sumOf(text), text]));
  return {
    get: (key: string) => Promise.resolve(byHash.get(key.slice(key.lastIndexOf(':') + 1))),
    set: () => Promise.resolve(),
    delete: () => Promise.resolve(false),
  };
}
