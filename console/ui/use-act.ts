import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { isRefusal } from '../api/refusal.ts';
import { sayDone } from './toast.ts';

export interface Act {
  /** Runs a command; resolves to true, after a toast, when it succeeded. */
  run: <Data extends { result: object | null }, Variables extends OperationVariables>(
    mutation: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    done: string,
  ) => Promise<boolean>;
  isBusy: boolean;
  /** Reason of the last refusal. */
  refused: string | null;
}

/** Commands to a call, one at a time: a refusal stays beside the buttons, a success appears as a toast. */
export function useAct(): Act {
  const client = useApolloClient();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  return {
    isBusy,
    refused,
    async run(mutation, variables, done) {
      setBusy(true);
      setRefused(null);
      const inTheWay = await ask().catch((error: Error) => error.message);
      setBusy(false);
      setRefused(inTheWay);
      if (inTheWay === null) sayDone(done);
      return inTheWay === null;

      async function ask(): Promise<string | null> {
        const { data } = await client.mutate({ mutation, variables } as Parameters<typeof client.mutate>[0]);
        const { result } = data as { result: { __typename?: string } | null };
        return isRefusal(result) ? (result as { message: string }).message : null;
      }
    },
  };
}
