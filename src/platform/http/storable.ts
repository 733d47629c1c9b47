import { invalidArgument } from '#kernel/errors.ts';
import { fieldPath } from './faults.ts';

/** Most levels of nesting: deeper structures would overflow the stack of recursive functions. */
const MAX_DEPTH = 64;
/**
 * Most members of one object: a body of a few megabytes holds hundreds of thousands, and a schema for any JSON value checks each of them.
 */
const MAX_MEMBERS = 20_000;

/**
 * Refuses text that no store can hold (NUL, an unpaired surrogate), excessive nesting and oversized objects, at any depth.
 *
 * Why:    PostgreSQL accepts such text neither in text nor in jsonb, and a caller's mistake must never become a 500
 * Errors: INVALID_ARGUMENT naming the field
 */
export function requireStorable(value: unknown, path: readonly PropertyKey[] = []): void {
  if (!isStorable(value, path.length)) nameFault(value, path);
}

/** Same check without a path: nearly every value passes, and building a path for each member would cost more than the check. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (value === null || typeof value !== 'object') return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every(item => isStorable(item, depth + 1));
  const keys = Object.keys(value);
  if (keys.length > MAX_MEMBERS) return false;
  for (const key of keys) {
    if (!isStorableText(key) || !isStorable(Reflect.get(value, key), depth + 1)) return false;
  }
  return true;
}

function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function nameFault(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === 'string') return requireStorableText(value, path);
  if (value === null || typeof value !== 'object') return;
  if (path.length >= MAX_DEPTH) throw invalidArgument(fieldPath(path.slice(0, 3)), `嵌套不能超过 ${MAX_DEPTH} 层`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) nameFault(item, [...path, index]);
    return;
  }
  const members = Object.entries(value);
  if (members.length > MAX_MEMBERS) throw invalidArgument(fieldPath(path) || '请求体', `最多 ${MAX_MEMBERS} 个字段`);
  for (const [key, item] of members) {
    requireStorableText(key, path);
    nameFault(item, [...path, key]);
  }
}

function requireStorableText(text: string, path: readonly PropertyKey[]): void {
  if (!isStorableText(text)) throw invalidArgument(fieldPath(path) || '请求体', '含有不合法的字符');
}
