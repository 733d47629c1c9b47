import { z } from 'zod';
import { parseDate, parseTimeOfDay } from '#kernel/calendar.ts';
import { instantText, toInstant } from '#kernel/fields.ts';
import { isOneOf } from '#kernel/typed.ts';
import { FIELD_TYPES, type FieldType } from '#protocol/nlu.ts';

/** A field that a script collects in a call. Source: D11 */
export const resultField = z.object({ key: z.string(), label: z.string(), type: z.string() }).meta({ id: 'ResultField' });

export type ResultField = z.output<typeof resultField>;

export type ResultValue = string | number | boolean;

/** Values of result fields by their keys. */
export type ResultValues = Readonly<Record<string, ResultValue>>;

/** The value under a key; null when there is none. */
export function valueUnder(values: ResultValues, key: string): ResultValue | null {
  return Object.hasOwn(values, key) ? (values[key] ?? null) : null;
}

/** Longest text of a result field, in characters. */
export const MAX_RESULT_TEXT = 2_000;

type Reader = (value: unknown, zone: string) => ResultValue | null;

const boundedText: Reader = value => (typeof value === 'string' && value.length <= MAX_RESULT_TEXT ? value : null);
const textThat = (isValid: (text: string) => boolean): Reader => {
  return value => (typeof value === 'string' && isValid(value) ? value : null);
};

const READERS: Readonly<Record<FieldType, Reader>> = {
  text: boundedText,
  phone: boundedText,
  number: value => (typeof value === 'number' && Number.isFinite(value) ? value : null),
  boolean: value => (typeof value === 'boolean' ? value : null),
  date: textThat(text => parseDate(text) !== null),
  time: textThat(text => parseTimeOfDay(text) !== null),
  datetime: (value, zone) => {
    const { data } = instantText.safeParse(value);
    return data === undefined ? null : new Date(toInstant(data, zone)).toISOString();
  },
};

/** The type of a field; one that is not known is a text. Source: D13.3 */
export function typeOfField({ type }: Pick<ResultField, 'type'>): FieldType {
  return isOneOf(FIELD_TYPES, type) ? type : 'text';
}

/**
 * The value as it is kept; null when it is not of the field's type.
 *
 * Why:    values of one field must compare with each other as texts: a `datetime` is kept in UTC with milliseconds
 * Source: D7.17
 */
export function resultValue(field: ResultField, value: unknown, zone: string): ResultValue | null {
  return READERS[typeOfField(field)](value, zone);
}

/** Whether a value stands for none: an utterance did not contain the field. */
export function isNoValue(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The values that are of their fields' types, and the keys of those that are not. */
export function fittingValues(
  fields: readonly ResultField[],
  given: Readonly<Record<string, unknown>>,
  zone: string,
): { values: ResultValues; misfits: string[] } {
  const told = fields.filter(({ key }) => Object.hasOwn(given, key) && !isNoValue(given[key]));
  const read = told.map(field => ({ key: field.key, value: resultValue(field, given[field.key], zone) }));
  return {
    values: Object.fromEntries(read.flatMap(({ key, value }) => (value === null ? [] : [[key, value]]))),
    misfits: read.filter(({ value }) => value === null).map(({ key }) => key),
  };
}
