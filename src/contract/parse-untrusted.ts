import type { z } from 'zod';

/** Deeper than anything that a schema looks at. */
const MAX_DEPTH = 32;

type Parsed<Data> = { success: true; data: Data } | { success: false; error: { issues: readonly z.core.$ZodIssue[] } };

/**
 * `safeParse` for what strangers send.
 *
 * Why: zod compares the `length` of whatever stands where a text should; one that is an object with a `toString` of its own makes it throw
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
    return { success: false, error: { issues: [{ code: 'custom', path, message: '类型不正确', input }] } };
  }
}

/** Where an object with an object for its `length` stands. */
function oddLength(value: unknown, path: readonly (string | number)[]): (string | number)[] | null {
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return null;
  if (!Array.isArray(value) && typeof Reflect.get(value, 'length') === 'object') return [...path];
  for (const [key, member] of Object.entries(value)) {
    const found = oddLength(member, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return null;
}
