import type { ASTVisitor, DocumentNode, ValidationContext } from 'graphql';
import { sha256Of } from './persisted-documents.ts';
import { refusedDocument } from './refused-document.ts';

/** Time that a document registered by its hash is kept after its last use, in s. */
export const REGISTERED_FOR_SECONDS = 24 * 3_600;

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
 * Listed documents by SHA-256, for the look-up of automatic persisted queries; registrations by clients are ignored.
 *
 * Shape: keys end with the hash
 */
export function listedDocumentCache(documents: readonly string[]) {
  const byHash = new Map(documents.map(text => [sha256Of(text), text]));
  return {
    get: (key: string) => Promise.resolve(byHash.get(key.slice(key.lastIndexOf(':') + 1))),
    set: () => Promise.resolve(),
    delete: () => Promise.resolve(false),
  };
}
