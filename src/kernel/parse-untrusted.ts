import { issue } from './problem.ts';
import type { z } from 'zod';

/** Exceeds the depth of every schema. */
const MAX_DEPTH = 32;

type Parsed<Data> = { success: true; data: Data } | { success: false; error: { issues: readonly z.core.$ZodIssue[] } };

/**
 * `safeParse` for untrusted input.
 *
 * Why: where zod expects a text it compares the `length` of the input; a `length` that is an object with its own `toString` makes it throw
 */
export function parseUntrusted<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  params?: z.core.ParseContext<z.core.$ZodIssue>,
): Parsed<z.output<Schema>> {
  try {
    return schema.safeParse(input, params);
  } catch (error) {
    const path = error instanceof TypeError ? oddLength(input, []) : null;
    if (path === null) throw error;
    return { success: false, error: { issues: [{ code: 'custom', path, message: issue('wrongType'), input }] } };
  }
}

/** Path of the value whose `length` is an object; null when there is none. */
function oddLength(value: unknown, path: readonly (string | number)[]): (string | number)[] | null {
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return null;
  if (!Array.isArray(value) && typeof Reflect.get(value, 'length') === 'object') return [...path];
  for (const [key, member] of Object.entries(value)) {
    const found = oddLength(member, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return null;
}
