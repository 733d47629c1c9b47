import type { TypedDocumentNode } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { type GraphQLFormattedError, print } from 'graphql';
import { i18next } from '../text/text.ts';
import { serverUrl } from './address.ts';
import { client } from './client.ts';
import { RefusedError } from './refused-error.ts';
import { currentSession, endSession } from './session.ts';

/** A file of 5 MiB over a slow line, and the places that others have in the queue, ms. */
const TIMEOUT_MS = 180_000;

/**
 * Runs a mutation whose variable `file` is a file: the multipart request that the server takes, which Apollo's link does not make.
 *
 * Errors: CombinedGraphQLErrors as the server says; RefusedError where something before it answers; anything else when it could not be reached
 */
export async function upload<Data, Variables extends { file: unknown }>(
  document: TypedDocumentNode<Data, Variables>,
  { file, ...variables }: Omit<Variables, 'file'> & { file: File },
): Promise<Data> {
  // With `__typename`, as the client asks for it everywhere.
  const query = print(client.documentTransform.transformDocument(document));
  const form = new FormData();
  form.append('operations', JSON.stringify({ query, variables: { ...variables, file: null } }));
  form.append('map', JSON.stringify({ 0: ['variables.file'] }));
  form.append('0', file);
  const response = await fetch(serverUrl('graphql'), {
    method: 'POST',
    headers: { 'Accept-Language': i18next.language, Authorization: `Bearer ${currentSession()?.token ?? ''}` },
    body: form,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // What is no JSON comes from something before the server, such as a proxy that takes no file of this size.
  const { data, errors } = (await response.json().catch(() => {
    throw new RefusedError(i18next.t('notice.otherAnswer', { status: response.status }));
  })) as { data?: Data; errors?: GraphQLFormattedError[] };
  if (errors?.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED')) endSession('expired');
  if (errors?.length || !data) throw new CombinedGraphQLErrors({ errors: errors ?? [] });
  return data;
}
