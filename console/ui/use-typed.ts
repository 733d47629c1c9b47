import { useThrottledValue } from '@mantine/hooks';

/**
 * The first keystroke searches at once; later ones within this time of each other search together, in ms. A search takes the server a few
 * ms.
 */
export const JOINED_MS = 50;

/** The text to search for. */
export function useTyped(text: string): string {
  return useThrottledValue(text.trim(), JOINED_MS);
}
