/** A partial `T`: members that are absent or undefined remain unchanged. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** Copies `base` with the members that `changes` sets; null is a value, undefined is not. */
export function overlay<T extends object>(base: T, changes: Changes<T>): T {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...base, ...(Object.fromEntries(given) as Partial<T>) };
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Escapes that jsonb rejects: NUL and lone surrogates (`JSON.stringify` never escapes a valid pair). */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** The value as JSON text that jsonb accepts. */
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
