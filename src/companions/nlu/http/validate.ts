import type { z } from 'zod';
import { parseUntrusted } from '#contract/parse-untrusted.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';

/**
 * Parses a body by its contract; the first fault becomes the answer.
 *
 * Errors: INVALID_ARGUMENT naming the field, `参数错误：branches[3].key 不能为空`
 */
export function validate<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = parseUntrusted(schema, body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (!issue || issue.path.length === 0) throw new CalloutError('INVALID_ARGUMENT', '参数错误：请求体必须是 JSON 对象');
  throw invalidArgument(fieldPath(issue.path), issue.message);
}

function fieldPath(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`)).join('');
}
