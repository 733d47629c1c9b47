import { useApolloClient } from '@apollo/client/react';
import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { WatchedCall } from './call-changes.ts';
import { CallStore } from './call-store.ts';
import { LiveCallsDocument } from './live-calls.generated.ts';

/** The call store of the open page. */
export const CallStoreContext = createContext(new CallStore());

/** Follows every call that the user may see while the page is open; `error` says why the server refused the stream. */
export function useCallStream(): { store: CallStore; error: Error | null } {
  const client = useApolloClient();
  const [store] = useState(() => new CallStore());
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    const subscription = client.subscribe({ query: LiveCallsDocument, fetchPolicy: 'no-cache' }).subscribe({
      next({ data, error: refused }) {
        if (refused) return setError(refused);
        if (data) store.take(data.liveCalls);
      },
      error: setError,
    });
    return () => {
      subscription.unsubscribe();
      store.close();
    };
  }, [client, store]);
  return { store, error };
}

/** One call; the component renders only when this call changes. */
export function useCall(key: string): WatchedCall | undefined {
  const store = useContext(CallStoreContext);
  const subscribe = useCallback((listener: () => void) => store.onCall(key, listener), [store, key]);
  return useSyncExternalStore(subscribe, () => store.call(key));
}

/** All calls without their captions. */
export function useCallList(store: CallStore): readonly WatchedCall[] {
  return useSyncExternalStore(store.onList, store.list);
}
