import { useMediaQuery } from '@mantine/hooks';

/** Width below which filters would leave no room for rows, or rows none for their columns. */
const NARROW = '(max-width: 640px)';

export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}
