import { useSearchParams } from 'react-router';

/** A part of what a page shows, kept in its address: back, a reload and a colleague see the same. */
export function useQueryState(name: string): [value: string, set: (value: string) => void] {
  const [query, setQuery] = useSearchParams();
  const set = (value: string) =>
    setQuery(
      before => {
        const after = new URLSearchParams(before);
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  return [query.get(name) ?? '', set];
}
