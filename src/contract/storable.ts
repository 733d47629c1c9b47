import { invalidArgument } from '#kernel/errors.ts';
import { fieldPath } from './rest/faults.ts';

/** Deeper structures overflow the stack of whoever walks them. */
const MAX_DEPTH = 64;

/**
 * Refuses text that no store can hold (NUL, half of a surrogate pair) and bottomless nesting, wherever it is.
 *
 * Why:    PostgreSQL takes neither in text nor in jsonb, and a caller's mistake must never become a 500
 * Errors: INVALID_ARGUMENT naming the field
 */
export function requireStorable(value: unknown, path: readonly PropertyKey[] = []): void {
  if (typeof value === 'string') return requireStorableText(value, path);
  if (value === null || typeof value !== 'object') return;
  if (path.length >= MAX_DEPTH) throw invalidArgument(fieldPath(path.slice(0, 3)), `嵌套不能超过 ${MAX_DEPTH} 层`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) requireStorable(item, [...path, index]);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    requireStorableText(key, path);
    requireStorable(item, [...path, key]);
  }
}

function requireStorableText(text: string, path: readonly PropertyKey[]): void {
  if (text.includes('\0') || !text.isWellFormed()) throw invalidArgument(fieldPath(path) || '请求体', '含有不合法的字符');
}
