import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';

interface StreamOptions<Event, State, Variables> {
  variables: Variables;
  /** State before the first snapshot. */
  initial: State;
  reduce: (state: State, event: Event) => State;
}

/** State after the events received so far, and the error with which the server refused it. */
export interface StreamState<State> {
  state: State;
  /** False until the first event. */
  isThere: boolean;
  error: Error | null;
}

/**
 * Follows a subscription. Renders at most once per animation frame.
 *
 * Why: hundreds of events may arrive per second, and each would render separately
 */
export function useStream<Data extends object, Variables extends OperationVariables, State>(
  document: TypedDocumentNode<Data, Variables>,
  { variables, initial, reduce }: StreamOptions<Data, State, Variables>,
): StreamState<State> {
  const client = useApolloClient();
  const [shown, setShown] = useState<StreamState<State>>({ state: initial, isThere: false, error: null });
  // The newest values, without a new subscription for them.
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
