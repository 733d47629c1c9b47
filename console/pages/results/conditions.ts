import { type FieldKind, kindOf, type ResultField, type ResultValue, valueOf } from './result-values.ts';

const VALUELESS = ['EXISTS', 'MISSING'] as const;
const VALUED = ['EQUALS', 'DIFFERS', 'CONTAINS', 'AT_LEAST', 'AT_MOST', 'WITHIN'] as const;

/** A comparison, as the schema spells it. */
export type Operator = (typeof VALUELESS)[number] | (typeof VALUED)[number];

/** A condition on a result field, as a filter has it. */
export interface Condition {
  key: string;
  op: Operator;
  value?: ResultValue;
}

/** Comparisons that make sense for a kind of field, the likeliest first. */
export const OPERATORS: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: ['CONTAINS', 'EQUALS', 'DIFFERS', 'EXISTS', 'MISSING'],
  number: ['EQUALS', 'AT_LEAST', 'AT_MOST', 'DIFFERS', 'EXISTS', 'MISSING'],
  boolean: ['EQUALS', 'EXISTS', 'MISSING'],
  date: ['WITHIN', 'AT_LEAST', 'AT_MOST', 'EXISTS', 'MISSING'],
  time: ['AT_LEAST', 'AT_MOST', 'EXISTS', 'MISSING'],
  datetime: ['WITHIN', 'AT_LEAST', 'AT_MOST', 'EXISTS', 'MISSING'],
};

export const PERIODS = [
  'today',
  'tomorrow',
  'next_7_days',
  'this_week',
  'next_week',
  'this_month',
  'next_month',
  'past',
  'last_week',
  'last_month',
] as const;

/** Whether the comparison needs a value. */
export function needsValue(op: Operator): boolean {
  return VALUED.some(each => each === op);
}

/** Kind of field by which a value is typed: a moment is compared by its day. */
export function typedAs(field: ResultField, op: Operator): ResultField {
  return kindOf(field) === 'datetime' && op !== 'WITHIN' ? { ...field, type: 'date' } : field;
}

/** A condition of what was typed; null while its value is missing. */
export function conditionOf(field: ResultField, op: Operator, input: string): Condition | null {
  if (!needsValue(op)) return { key: field.key, op };
  const value = op === 'WITHIN' ? input : valueOf(typedAs(field, op), input);
  return value === null || value === '' ? null : { key: field.key, op, value };
}

/** Most conditions of a filter, as the server has it. */
export const MAX_CONDITIONS = 8;

/** Conditions as the URL has them; empty for none. */
export function textOfConditions(conditions: readonly Condition[]): string {
  return conditions.length === 0
    ? ''
    : JSON.stringify(conditions.map(({ key, op, value }) => (needsValue(op) ? [key, op, value] : [key, op])));
}

/** Reads the URL; what is no condition is left out. */
export function conditionsIn(text: string): Condition[] {
  const list = parsed(text);
  return (Array.isArray(list) ? list : []).flatMap(conditionIn).slice(0, MAX_CONDITIONS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text || '[]');
  } catch {
    // A URL may have been cut or typed.
    return [];
  }
}

function conditionIn(entry: unknown): Condition[] {
  if (!Array.isArray(entry)) return [];
  const [key, op, value] = entry as unknown[];
  if (typeof key !== 'string' || !isOperator(op)) return [];
  if (!needsValue(op)) return [{ key, op }];
  return isValue(value) ? [{ key, op, value }] : [];
}

function isOperator(op: unknown): op is Operator {
  return [...VALUED, ...VALUELESS].some(each => each === op);
}

function isValue(value: unknown): value is ResultValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
