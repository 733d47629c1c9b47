import type { LineStore } from '#ports/line-store.ts';
import type { Line } from '#ports/records.ts';

/** Lines in one answer; `total` tells when there are more. */
const MAX_LISTED_LINES = 1_000;

/** Source: OCS 4.4 */
export function listLines(deps: { lines: Pick<LineStore, 'list'> }): Promise<{ rows: Line[]; total: number }> {
  return deps.lines.list(MAX_LISTED_LINES);
}
