import { createHash } from 'node:crypto';
import { type ASTNode, type ASTVisitor, type DocumentNode, GraphQLError, type ValidationContext } from 'graphql';
import { CalloutError } from '#kernel/errors.ts';
import { membersOf } from '#kernel/typed.ts';

/** Error for a document that breaks a rule of this server, which is the caller's fault. `message` is Chinese, `english` its translation. */
export function refusedDocument(message: string, english: string, node?: ASTNode): GraphQLError {
  const options = { originalError: new CalloutError('INVALID_ARGUMENT', message), extensions: { http: { status: 400 }, english } };
  return new GraphQLError(message, { ...options, ...(node ? { nodes: node } : {}) });
}

export function tooManyFields(most: number): GraphQLError {
  return refusedDocument(`查询过于复杂：展开片段后超过 ${most} 个字段`, `There are more than ${most} fields with those of fragments.`);
}

/** Documents by SHA-256, shared by HTTP and sockets. */
export interface KnownDocuments {
  get(hash: string): Promise<string | undefined>;
  set(hash: string, text: string): Promise<unknown>;
}

/** The document of a client's request: its text, its hash, or both. */
export interface DocumentRequest {
  query?: unknown;
  extensions?: unknown;
}

/** Hash of an automatic persisted query; null when there is none. */
export function hashOf({ extensions }: Pick<DocumentRequest, 'extensions'>): string | null {
  const { persistedQuery } = membersOf(extensions);
  const { sha256Hash } = membersOf(persistedQuery);
  return typeof sha256Hash === 'string' ? sha256Hash : null;
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The text of a document; one that is sent with its hash is registered under that hash.
 *
 * Errors: GraphQLError for a hash that is unknown, or belongs to another document
 */
export async function textOf(known: KnownDocuments, request: DocumentRequest): Promise<string> {
  const hash = hashOf(request);
  const text = typeof request.query === 'string' ? request.query : '';
  if (hash === null) return text;
  if (text === '') return (await known.get(hash)) ?? unknownHash();
  if (sha256Of(text) !== hash)
    throw refusedDocument('extensions.persistedQuery.sha256Hash 与 query 不符', 'The hash is not that of the query.');
  await known.set(hash, text);
  return text;
}

/** The error by which clients know that they must send the whole document. */
export function unknownHash(): never {
  throw new GraphQLError('PersistedQueryNotFound', { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } });
}

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
