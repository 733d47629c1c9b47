import { type CallFindings, type ResultLayers, type Said, type SaidFindings } from '#attempts/decisions/result-layers.ts';
import type { InputFault } from '#kernel/errors.ts';
import { type Problem, problem } from '#kernel/problem.ts';
import type { FieldType } from '#protocol/nlu.ts';
import {
  isNoValue,
  MAX_RESULT_TEXT,
  type ResultField,
  resultValue,
  type ResultValue,
  typeOfField,
  valueUnder,
} from '#scripts/decisions/result-field.ts';
import { FIELD_MEMBER, type ResultChange, type ResultCorrection } from '../result.ts';

/** The author and time of a correction, and the time zone of instants without one. */
export interface Corrector {
  userId: number | null;
  /** UTC ms. */
  at: number;
  zone: string;
}

const WRONG_TYPE: Readonly<Record<FieldType, Problem>> = {
  text: problem('textUpTo', { max: MAX_RESULT_TEXT }),
  phone: problem('textUpTo', { max: MAX_RESULT_TEXT }),
  number: problem('number'),
  boolean: problem('boolean'),
  date: problem('date'),
  time: problem('timeOfDay'),
  datetime: problem('zonedOrLocalTime', { form: 'YYYY-MM-DD HH:mm' }),
};

/** The faults of the values: a field that the script does not have, or a value of another type. */
export function correctionFaults({ fields }: ResultCorrection, declared: readonly ResultField[], zone: string): InputFault[] {
  return Object.entries(fields ?? {}).flatMap(([key, value]) => {
    const field = declared.find(one => one.key === key);
    const found = field === undefined ? problem('unknownResultField') : valueFault(field, value, zone);
    return found === null ? [] : [{ field: `fields.${key}`, problem: found }];
  });
}

function valueFault(field: ResultField, value: ResultValue | null, zone: string): Problem | null {
  return isNoValue(value) || resultValue(field, value, zone) !== null ? null : WRONG_TYPE[typeOfField(field)];
}

/**
 * The words of people after a correction.
 *
 * Why: a value equal to the reported one takes an earlier correction back, so that a mistaken one leaves no trace in lists
 */
export function corrected(
  { reported, said }: ResultLayers,
  correction: ResultCorrection,
  declared: readonly ResultField[],
  corrector: Corrector,
): SaidFindings {
  const word = <Value>(value: Value | null): Said<Value> => ({ value, by: 'correction', userId: corrector.userId, at: corrector.at });
  const fields = new Map(Object.entries(said.fields));
  for (const [key, value] of Object.entries(valuesOf(correction, declared, corrector.zone))) {
    if (value === valueUnder(reported.fields, key)) fields.delete(key);
    else fields.set(key, word(value));
  }
  return {
    ...member('classification', correction.classification, { reported, said }, word),
    ...member('intent', correction.intent, { reported, said }, word),
    fields: Object.fromEntries(fields),
  };
}

function valuesOf({ fields }: ResultCorrection, declared: readonly ResultField[], zone: string): Record<string, ResultValue | null> {
  const given = Object.entries(fields ?? {});
  return Object.fromEntries(
    given.map(([key, value]) => {
      const field = declared.find(one => one.key === key);
      return [key, field === undefined || isNoValue(value) ? null : resultValue(field, value, zone)];
    }),
  );
}

function member(
  name: 'classification' | 'intent',
  value: string | null | undefined,
  { reported, said }: ResultLayers,
  word: (value: string | null) => Said<string>,
): Partial<SaidFindings> {
  if (value === undefined) return said[name] === undefined ? {} : { [name]: said[name] };
  return value === reported[name] ? {} : { [name]: word(value) };
}

/** The members whose value differs, in the order class, intent, fields by key. */
export function changesBetween(before: CallFindings, after: CallFindings): ResultChange[] {
  const keys = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])].sort();
  const all: ResultChange[] = [
    { member: 'classification', before: before.classification, after: after.classification },
    { member: 'intent', before: before.intent, after: after.intent },
    ...keys.map(key => ({ member: `${FIELD_MEMBER}${key}`, before: valueUnder(before.fields, key), after: valueUnder(after.fields, key) })),
  ];
  return all.filter(change => change.before !== change.after);
}
