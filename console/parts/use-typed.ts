import { useDebouncedValue } from '@mantine/hooks';

/** Keys that come closer together than this ask once; the server finds in a few ms, so that whoever looks for something sees each key answered. */
const PAUSE_MS = 50;

/** What to search for: what was typed, as soon as the typing pauses. */
export function useTyped(text: string): string {
  return useDebouncedValue(text.trim(), PAUSE_MS)[0];
}
