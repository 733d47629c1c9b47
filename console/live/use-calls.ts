import { useApolloClient } from '@apollo/client/react';
import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { WatchedCall } from './call-changes.ts';
import { CallStore } from './call-store.ts';
import { LiveCallsDocument } from './live-calls.generated.ts';

/** The calls of the page that is open. */
export const CallStoreContext = createContext(new CallStore());

/** Follows all calls that the user may see while the page is open; `error` says why it may not. */
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

/** One call: renders anew for what happens in it, and for nothing else. */
export function useCall(key: string): WatchedCall | undefined {
  const store = useContext(CallStoreContext);
  const subscribe = useCallback((listener: () => void) => store.onCall(key, listener), [store, key]);
  return useSyncExternalStore(subscribe, () => store.call(key));
}

/** Rows of all calls, without what is said in them. */
export function useCallList(store: CallStore): readonly WatchedCall[] {
  return useSyncExternalStore(store.onList, store.list);
}
