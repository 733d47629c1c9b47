import { useCallbackRef } from '@mantine/hooks';
import { useLocation, useSearchParams } from 'react-router';

/** What was set since the address was read, and where: the router moves later, and takes one change at a time. */
let pending: { locationKey: string; query: URLSearchParams } | null = null;

/**
 * A part of what a page shows, kept in its address: a reload and a colleague see the same. Back leaves the page, whatever was narrowed meanwhile;
 * `isStep`: it leads to the value before. The setter stays the same, so that what hangs on it alone is not drawn anew.
 */
export function useQueryState(name: string, isStep = false): [value: string, set: (value: string) => void] {
  const { key: locationKey } = useLocation();
  const [query, setQuery] = useSearchParams();
  const set = (value: string) => {
    const after = new URLSearchParams(pending?.locationKey === locationKey ? pending.query : query);
    if (value) after.set(name, value);
    else after.delete(name);
    pending = { locationKey, query: after };
    // At once: what is left to the end of a transition stands behind every other task of the page.
    setQuery(after, { replace: !isStep || (query.get(name) ?? '') === value, flushSync: true });
  };
  return [query.get(name) ?? '', useCallbackRef(set)];
}
