import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import { refusedDocument } from './refused-document.ts';

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
  const { persistedQuery } = Object(extensions) as { persistedQuery?: unknown };
  const { sha256Hash } = Object(persistedQuery) as { sha256Hash?: unknown };
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
