import type { z } from 'zod';
import { CalloutError } from '#kernel/errors.ts';
import { parseUntrusted } from '../parse-untrusted.ts';
import { describeFault, fieldPath } from './faults.ts';

/** More faults than this in one answer help nobody. */
const MAX_FAULTS_TOLD = 5;

/**
 * Validates what came over the wire; `whole` names the input when the fault is not in a field of it.
 *
 * Errors: INVALID_ARGUMENT naming each faulty field, `参数错误：contacts[3].phoneNumber 不能为空`
 * Source: D2.1
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, whole: string): z.output<Schema> {
  const result = parseUntrusted(schema, input, { error: describeFault });
  if (result.success) return result.data;
  const faults = result.error.issues.map(issue => deepest(issue)).map(issue => ({ field: fieldPath(issue.path), problem: issue.message }));
  const told = faults.slice(0, MAX_FAULTS_TOLD).map(({ field, problem }) => `${field || whole} ${problem}`);
  throw new CalloutError('INVALID_ARGUMENT', `参数错误：${told.join('；')}`, { field: faults[0]?.field || whole });
}

/** Of a union, the fault inside the branch that the input came closest to; `null` and scalar branches lose to object ones. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .map(branch => branch[0])
    .filter(fault => fault !== undefined)
    .map(deepest)
    .filter(fault => fault.path.length > 0)
    .sort((a, b) => b.path.length - a.path.length)[0];
  return inner ? { path: [...issue.path, ...inner.path], message: inner.message } : issue;
}
