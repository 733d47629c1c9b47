import type { ResponsePath } from 'graphql';

/** Whether the object of a field stands in a list. A list shows the names of recordings, as REST's does; who looks at one call may be after its recording. */
export function isInList({ prev }: ResponsePath): boolean {
  return typeof prev?.key === 'number';
}
