import { z } from 'zod';
import { parseDate } from '#kernel/calendar.ts';
import { issue } from '#kernel/problem.ts';
import { isOneOf } from '#kernel/typed.ts';
import { resultFieldValue } from '../attempt.ts';

/** How a value of a result field is compared. `within`: a day or an instant in a period that moves with the calendar. */
export const RESULT_OPERATORS = ['equals', 'differs', 'contains', 'at_least', 'at_most', 'within', 'exists', 'missing'] as const;

/** Periods of the business time zone; weeks begin on Monday. */
export const RESULT_PERIODS = [
  'past',
  'today',
  'tomorrow',
  'next_7_days',
  'last_week',
  'this_week',
  'next_week',
  'last_month',
  'this_month',
  'next_month',
] as const;

export type ResultPeriod = (typeof RESULT_PERIODS)[number];

const MAX_KEY_LENGTH = 64;
/** Most conditions of one filter; each is checked for every row that the other filters leave. */
const MAX_CONDITIONS = 8;
/** Longest filter in the query of an address, in characters of JSON. */
const MAX_QUERY_LENGTH = 4_000;

const VALUELESS = ['exists', 'missing'];

/**
 * A condition on a result field of a call. A field without a value fulfils none but `missing`.
 *
 * Source: D7.17
 */
export const resultCondition = z
  .object({
    key: z.string().min(1).max(MAX_KEY_LENGTH),
    op: z.enum(RESULT_OPERATORS),
    value: resultFieldValue.nullish(),
  })
  .superRefine(({ op, value }, context) => {
    const fault = valueFault(op, value ?? null);
    if (fault !== null) context.addIssue({ code: 'custom', path: ['value'], message: fault });
  })
  .meta({ id: 'ResultCondition' });

export type ResultCondition = z.output<typeof resultCondition>;

function valueFault(op: ResultCondition['op'], value: string | number | boolean | null): string | null {
  if (VALUELESS.includes(op)) return value === null ? null : issue('null');
  if (value === null) return issue('missing');
  if (op === 'within') return isOneOf(RESULT_PERIODS, value) ? null : issue('oneOf', { values: [...RESULT_PERIODS] });
  if (op === 'contains') return typeof value === 'string' && value !== '' ? null : issue('filledText');
  return typeof value === 'boolean' && op.startsWith('at_') ? issue('otherType', { type: 'number | text' }) : null;
}

/** All of them must hold, in one call. */
export const resultConditions = z.array(resultCondition).max(MAX_CONDITIONS);

/** Conditions in the query of an address, as the JSON text of their list. */
export const resultConditionsText = z
  .string()
  .max(MAX_QUERY_LENGTH)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: issue('json') });
      return z.NEVER;
    }
  })
  .pipe(resultConditions)
  .optional()
  .meta({
    description:
      '结果字段的条件，JSON 数组：[{"key":"visitTime","op":"within","value":"next_week"}]；op 为 equals、differs、contains、at_least、at_most、within、exists、missing',
  });

/** Whether a bound is a day, which then also bounds instants. */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && parseDate(value) !== null;
}
