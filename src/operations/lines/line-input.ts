import { CalloutError, conflict, invalidArgument } from '#kernel/errors.ts';
import type { LineFields, LineNumberFields } from '#ports/line-store.ts';
import { readDialTemplate } from '#rules/dial-template.ts';
import { numberKey } from '#rules/phone-number.ts';

/** Source: D4.1 */
export const LINE_DEFAULTS = {
  callerIdNumber: null,
  callerIdName: null,
  callerIdHeaderMode: 'caller_id_only',
  isEnabled: true,
  description: '',
  numbers: [],
} as const satisfies Partial<LineFields>;

/**
 * A whole line as it may be stored.
 *
 * Errors: INVALID_ARGUMENT when a pool has no number, or a number stands in it twice
 * Source: D4.1
 */
export function validLine(fields: LineFields): LineFields {
  requireUnique(fields.numbers);
  if (fields.allocationMode === 'single_shared') return fields;
  if (fields.numbers.length === 0) throw invalidArgument('numbers', `在 ${fields.allocationMode} 模式下至少需要一个号码`);
  return fields.allocationMode === 'bound_numbers' ? { ...fields, numbers: fields.numbers.map(bound) } : fields;
}

/**
 * Errors: INVALID_ARGUMENT naming what the dial string may not say
 * Source: D4.1
 */
export function requireDialTemplate(template: string): void {
  const read = readDialTemplate(template);
  if (read.kind === 'refused') throw invalidArgument('dialStringTemplate', read.fault);
}

export function codeTaken(code: string): CalloutError {
  return conflict(`线路编码 ${code} 已存在`);
}

/** One number, one concurrent call. Source: OCS 2.5, D4.1 */
function bound(number: LineNumberFields): LineNumberFields {
  return { ...number, maxConcurrency: 1 };
}

function requireUnique(numbers: readonly LineNumberFields[]): void {
  const firstAt = new Map<string, number>();
  for (const [index, { number }] of numbers.entries()) {
    const key = numberKey(number);
    const first = firstAt.get(key);
    if (first !== undefined) throw invalidArgument(`numbers[${index}].number`, `与 numbers[${first}].number 重复`);
    firstAt.set(key, index);
  }
}
