import type { ResponsePath } from 'graphql';

/**
 * Whether the object of a field is part of a list. Showing the names of recordings in a list is not audited, as in REST; showing that of a
 * single call is, because the user may go on to play it.
 */
export function isInList({ prev }: ResponsePath): boolean {
  return typeof prev?.key === 'number';
}
