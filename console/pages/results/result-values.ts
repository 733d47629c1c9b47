import { localIn } from '../../text/local-time.ts';

/** A field that a script declares. */
export interface ResultField {
  key: string;
  label: string;
  type: string;
}

export type ResultValue = string | number | boolean;

/** The displayed name of a field. */
export function nameOfField({ key, label }: ResultField): string {
  return label === '' ? key : label;
}

/** Types that have an input of their own; every other one is a text. */
const TYPES = ['number', 'boolean', 'date', 'time', 'datetime'] as const;
export type FieldKind = (typeof TYPES)[number] | 'text';

export function kindOf({ type }: Pick<ResultField, 'type'>): FieldKind {
  return TYPES.find(each => each === type) ?? 'text';
}

/** The value as its input has it: an instant in the zone. */
export function inputOf(field: Pick<ResultField, 'type'>, value: unknown, zone: string): string {
  if (value === null || value === undefined) return '';
  const text = textOf(value);
  if (kindOf(field) !== 'datetime') return text;
  // A person's own words are kept as they were typed.
  if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(text)) return text.replace(' ', 'T');
  const at = Date.parse(text);
  return Number.isNaN(at) ? '' : localIn(zone, at);
}

/** A value as text; the server's JSON holds texts, numbers and booleans alone. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value of an input, as the server takes it; null for an empty one. What is no number is left to the server to refuse. */
export function valueOf(field: Pick<ResultField, 'type'>, input: string): ResultValue | null {
  const text = input.trim();
  if (text === '') return null;
  const kind = kindOf(field);
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === 'boolean') return text === 'true';
  return kind === 'datetime' ? text.replace('T', ' ') : text;
}
