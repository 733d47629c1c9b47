export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Escapes that jsonb refuses: NUL, and halves of a surrogate pair (whole pairs are never escaped). */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** The value as JSON text that jsonb takes. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return UNSTORABLE.test(text) ? JSON.stringify(storable(value)) : text;
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storable(key), storable(member)]));
}
