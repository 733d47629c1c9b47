import { useThrottledValue } from '@mantine/hooks';

/** The first key asks at once; those that come closer behind it than this ask together: the server finds in a few ms, and each key is answered. */
export const JOINED_MS = 50;

/** What to search for, of what was typed. */
export function useTyped(text: string): string {
  return useThrottledValue(text.trim(), JOINED_MS);
}
