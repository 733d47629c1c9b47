import { useMediaQuery } from '@mantine/hooks';

/** Where filters would leave no room for rows, and rows none for their columns. */
const NARROW = '(max-width: 640px)';

export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}
