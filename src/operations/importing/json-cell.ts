import type { JsonObject } from '#kernel/json.ts';

/** The JSON object that a cell holds; null when it holds something else. */
export function parseJsonObject(cell: string): JsonObject | null {
  if (!cell.startsWith('{')) return null;
  try {
    return JSON.parse(cell) as JsonObject;
  } catch {
    return null;
  }
}
