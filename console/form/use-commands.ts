import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useMemo } from 'react';

/** Runs commands, and queries that must not be answered from the cache. The document of a command names its one field `result`. */
export function useCommands() {
  const client = useApolloClient();
  return useMemo(
    () => ({
      run: async <Result, Variables extends OperationVariables>(
        mutation: TypedDocumentNode<{ result: Result }, Variables>,
        variables: Variables,
      ): Promise<Result | null | undefined> => {
        const options = { mutation, variables } as unknown as Parameters<typeof client.mutate<{ result: Result }>>[0];
        return (await client.mutate<{ result: Result }>(options)).data?.result;
      },
      read: async <Data, Variables extends OperationVariables>(query: TypedDocumentNode<Data, Variables>, variables: Variables) => {
        const options = { query, variables, fetchPolicy: 'network-only' } as unknown as Parameters<typeof client.query<Data>>[0];
        return (await client.query<Data>(options)).data;
      },
    }),
    [client],
  );
}
