import type { FieldDefinition, FieldType, FieldValue } from '#contract/nlu/extract.ts';
import { findDigitRuns } from '../local/extract/digit-runs.ts';
import { extractFields } from '../local/extract/extract-fields.ts';
import { findNumbers } from '../local/extract/find-numbers.ts';
import type { CallTime } from '../local/extract/moment.ts';
import { foldedText } from '../local/extract/spoken-text.ts';

export interface Claim {
  type: FieldType;
  field: FieldDefinition;
  /** What the customer said. */
  text: string;
  call: CallTime;
}

/**
 * The value that a model claims, if the utterance bears it out, else null.
 *
 * Why:    a model invents, and a customer may tell it what to answer: what was not said is not passed on
 * Source: D13.8
 */
export function groundedValue(value: unknown, claim: Claim): FieldValue {
  return BY_TYPE[claim.type](value, claim);
}

const BY_TYPE: Record<FieldType, (value: unknown, claim: Claim) => FieldValue> = {
  text: (value, { text }) => (typeof value === 'string' && occurs(value, text) ? value : null),
  number: (value, claim) => (typeof value === 'number' && numbersIn(claim).some(number => close(number, value)) ? value : null),
  phone: (value, { text }) =>
    typeof value === 'string' && runsIn(text).includes(value.replace(/\D/g, '')) ? value.replace(/\D/g, '') : null,
  boolean: value => (typeof value === 'boolean' ? value : null),
  date: (value, claim) => sameMoment(value, claim),
  time: (value, claim) => sameMoment(value, claim),
  datetime: (value, claim) => sameMoment(value, claim),
};

const LOOSE = /[\s\p{P}]/gu;

/** The words occur, but for spaces and punctuation, or are the digits that were read out. */
function occurs(value: string, text: string): boolean {
  const wanted = foldedText(value).replace(LOOSE, '');
  if (wanted === '') return false;
  return foldedText(text).replace(LOOSE, '').includes(wanted) || runsIn(text).some(digits => digits === wanted.toUpperCase());
}

function runsIn(text: string): string[] {
  return findDigitRuns(foldedText(text)).map(run => run.digits.replace(/^86(?=1\d{10}$)/, ''));
}

/** Every number that was said, and the field's own reading (`一年` as twelve months). */
function numbersIn({ text, field, call }: Claim): number[] {
  const own = localValue({ text, field, call });
  const said = findNumbers(foldedText(text)).map(number => number.value);
  return [...said, ...runsIn(text).map(Number), ...(typeof own === 'number' ? [own] : [])];
}

const TOLERANCE = 1e-6;

function close(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(other));
}

/** Days and times have one form only: the one that the grammar derives from the utterance. */
function sameMoment(value: unknown, claim: Claim): FieldValue {
  const own = localValue(claim);
  if (typeof value !== 'string' || typeof own !== 'string') return null;
  const matches = claim.type === 'datetime' ? Date.parse(value) === Date.parse(own) : own === value.slice(0, own.length);
  return matches ? own : null;
}

function localValue({ text, field, call }: Pick<Claim, 'text' | 'field' | 'call'>): FieldValue {
  return extractFields({ text, fields: [{ ...field, key: 'value' }] }, call).fields['value'] ?? null;
}
