import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';

interface StreamOptions<Event, State, Variables> {
  variables: Variables;
  /** What is shown before the first snapshot. */
  initial: State;
  reduce: (state: State, event: Event) => State;
}

/** What a stream has told so far, and why it ended, when the server refused it. */
export interface StreamState<State> {
  state: State;
  /** False until the first event. */
  isThere: boolean;
  error: Error | null;
}

/**
 * Follows a subscription. Events that come together are painted together, once a frame at most.
 *
 * Why: hundreds of events a second may come, and each would be a render of its own
 */
export function useStream<Data extends object, Variables extends OperationVariables, State>(
  document: TypedDocumentNode<Data, Variables>,
  { variables, initial, reduce }: StreamOptions<Data, State, Variables>,
): StreamState<State> {
  const client = useApolloClient();
  const [shown, setShown] = useState<StreamState<State>>({ state: initial, isThere: false, error: null });
  // The newest of each, without beginning anew for it.
  const latest = useRef({ initial, reduce });
  latest.current = { initial, reduce };
  const key = JSON.stringify(variables);
  useEffect(() => {
    let state = latest.current.initial;
    let frame: number | null = null;
    const paint = () => {
      frame = null;
      setShown({ state, isThere: true, error: null });
    };
    const options = { query: document, variables: JSON.parse(key) as Variables, fetchPolicy: 'no-cache' } as Parameters<
      typeof client.subscribe<Data, Variables>
    >[0];
    const subscription = client.subscribe<Data, Variables>(options).subscribe({
      next({ data, error }) {
        if (error) return setShown({ state, isThere: false, error });
        if (data) state = latest.current.reduce(state, data);
        frame ??= requestAnimationFrame(paint);
      },
      error: (error: Error) => setShown({ state, isThere: false, error }),
    });
    return () => {
      subscription.unsubscribe();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [client, document, key]);
  return shown;
}
