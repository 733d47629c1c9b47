import { useCallbackRef } from '@mantine/hooks';
import { useLocation, useSearchParams } from 'react-router';

/** Changes since the URL was read, with the location they belong to: the router navigates later, and accepts one change at a time. */
let pending: { locationKey: string; query: URLSearchParams } | null = null;

/**
 * A part of the page's state, kept in the URL, so that a reload or a colleague sees the same. Back leaves the page, however many filters
 * were set; with `isStep` it returns to the value before. The setter is stable, so that components that depend on it alone do not render
 * again.
 */
export function useQueryState(name: string, isStep = false): [value: string, set: (value: string) => void] {
  const { key: locationKey } = useLocation();
  const [query, setQuery] = useSearchParams();
  const set = (value: string) => {
    const after = new URLSearchParams(pending?.locationKey === locationKey ? pending.query : query);
    if (value) after.set(name, value);
    else after.delete(name);
    pending = { locationKey, query: after };
    // Synchronously: a transition would wait for every other task of the page.
    setQuery(after, { replace: !isStep || (query.get(name) ?? '') === value, flushSync: true });
  };
  return [query.get(name) ?? '', useCallbackRef(set)];
}
