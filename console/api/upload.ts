import type { TypedDocumentNode } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { type GraphQLFormattedError, print } from 'graphql';
import { i18next } from '../text/text.ts';
import { serverUrl } from './address.ts';
import { client } from './client.ts';
import { RefusedError } from './refused-error.ts';
import { endSession, sessionHeaders } from './session.ts';

/** Largest file that the server takes. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Longest duration of an upload, in ms: 5 MiB over a slow line, plus the wait in the server's queue. */
const TIMEOUT_MS = 180_000;

/**
 * Runs a mutation whose variable `file` is a file, as a GraphQL multipart request: Apollo's HTTP link cannot send one.
 *
 * Errors: CombinedGraphQLErrors with the server's errors; RefusedError for a file that is too large, and when a proxy answers instead; any other error when neither could be
 *         reached
 */
export async function upload<Data, Variables extends { file: unknown }>(
  document: TypedDocumentNode<Data, Variables>,
  { file, ...variables }: Omit<Variables, 'file'> & { file: File },
): Promise<Data> {
  if (file.size > MAX_FILE_BYTES) throw new RefusedError(i18next.t('import.tooLarge'));
  // Add `__typename` as the client does for every other operation.
  const query = print(client.documentTransform.transformDocument(document));
  const form = new FormData();
  form.append('operations', JSON.stringify({ query, variables: { ...variables, file: null } }));
  form.append('map', JSON.stringify({ 0: ['variables.file'] }));
  form.append('0', file);
  const response = await fetch(serverUrl('graphql'), {
    method: 'POST',
    headers: { ...sessionHeaders(), 'Accept-Language': i18next.language },
    body: form,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // A body that is not JSON comes from something in front of the server, such as a proxy that limits the size of a body.
  const { data, errors } = (await response.json().catch(() => {
    throw new RefusedError(i18next.t('notice.otherAnswer', { status: response.status }));
  })) as { data?: Data; errors?: GraphQLFormattedError[] };
  if (errors?.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED')) endSession('expired');
  if (errors?.length || !data) throw new CombinedGraphQLErrors({ errors: errors ?? [] });
  return data;
}
