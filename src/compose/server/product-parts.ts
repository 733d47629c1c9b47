import type { CellState } from '#ports/switch.ts';
import type { ServerContext, ServerPart } from './context.ts';

/** The parts that make the product, each composed in a file of its own; `cells` for the health page. */
export async function productParts(_context: ServerContext): Promise<{ parts: ServerPart[]; cells: () => readonly CellState[] }> {
  return Promise.resolve({ parts: [], cells: () => [] });
}
