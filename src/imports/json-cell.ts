import type { JsonObject } from '#kernel/json.ts';

/** Parses a cell that holds a JSON object; null for any other content. */
export function parseJsonObject(cell: string): JsonObject | null {
  if (!cell.startsWith('{')) return null;
  try {
    return JSON.parse(cell);
  } catch {
    return null;
  }
}
