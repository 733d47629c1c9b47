import type { FieldDefinition, FieldType, FieldValue } from '#protocol/nlu.ts';
import { findDigitRuns } from '../local/extract/digit-runs.ts';
import { candidateValues } from '../local/extract/extract-fields.ts';
import { findNumbers } from '../local/extract/find-numbers.ts';
import type { CallTime } from '../local/extract/moment.ts';
import { foldedText } from '../local/extract/spoken-text.ts';

export interface Claim {
  type: FieldType;
  field: FieldDefinition;
  /** The utterance. */
  text: string;
  call: CallTime;
}

/**
 * Returns the value that a model claims if the utterance supports it, else null.
 *
 * Why:    a model may invent values, and a customer may dictate an answer to it: only values that were said are passed on
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

/** Whether the words occur in this order, with short gaps, or match digits that were read out. */
function occurs(value: string, text: string): boolean {
  const wanted = foldedText(value).replace(LOOSE, '');
  if (wanted === '') return false;
  return isSaidInOrder(wanted, foldedText(text).replace(LOOSE, '')) || runsIn(text).some(digits => digits === wanted.toUpperCase());
}

/** Most characters between two parts of a value as spoken, such as `阳光小区的那个三栋`. */
const MAX_GAP = 4;

function isSaidInOrder(wanted: string, said: string): boolean {
  for (let start = said.indexOf(wanted.charAt(0)); start >= 0; start = said.indexOf(wanted.charAt(0), start + 1)) {
    let at = start;
    for (const char of wanted) {
      const next = said.indexOf(char, at);
      at = next < 0 || next - at > MAX_GAP ? -1 : next + char.length;
      if (at < 0) break;
    }
    if (at >= 0) return true;
  }
  return false;
}

function runsIn(text: string): string[] {
  return findDigitRuns(foldedText(text)).map(run => run.digits.replace(/^86(?=1\d{10}$)/, ''));
}

/** Returns every number of the utterance, as spoken and in the field's unit (`一年` as twelve months). */
function numbersIn({ text, field, call }: Claim): number[] {
  const own = candidateValues(text, field, call).filter(value => typeof value === 'number');
  const said = findNumbers(foldedText(text)).flatMap(({ value, unit }) => [value, ...inOtherMeasures(value, unit)]);
  return [...said, ...runsIn(text).map(Number), ...own];
}

/** Factors to the next smaller unit, for values that a model may have converted. */
const MEASURES: readonly (readonly [RegExp, number])[] = [
  [/年/, 12],
  [/周|星期|礼拜/, 7],
  [/月/, 30],
  [/天|日/, 24],
  [/小时|钟头/, 60],
  [/公斤|千克/, 2],
  [/公里/, 1_000],
  [/打/, 12],
  [/双|对/, 2],
];

function inOtherMeasures(value: number, unit: string): number[] {
  return MEASURES.filter(([pattern]) => pattern.test(unit)).map(([, factor]) => value * factor);
}

const TOLERANCE = 1e-6;

function close(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(other));
}

const ISO: Partial<Record<FieldType, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}$/,
  datetime: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/,
};
/** Words for days and for times of day. */
const DAYS =
  /[年月日号天周]|星期|礼拜|今|明|昨|后儿|节|初[一二三四五六七八九十]|十五|除夕|旦|day|week|month|morrow|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;
const TIMES = /[点时早晚夜刻]|上午|中午|下午|傍晚|凌晨|半|noon|night|morning|evening|o'clock|[ap]\.?m/;

/** Accepts a date or time that the grammar finds in the utterance; when the grammar finds none, any such words in the utterance suffice. */
function sameMoment(value: unknown, claim: Claim): FieldValue {
  if (typeof value !== 'string') return null;
  const own = candidateValues(claim.text, claim.field, claim.call).filter(said => typeof said === 'string');
  if (own.length === 0) return spokenOfAtAll(value, claim) ? value : null;
  const isSame = (said: string) =>
    claim.type === 'datetime' ? Date.parse(value) === Date.parse(said) : said === value.slice(0, said.length);
  return own.find(isSame) ?? null;
}

function spokenOfAtAll(value: string, { type, text }: Claim): boolean {
  if (ISO[type]?.test(value) !== true || Number.isNaN(Date.parse(type === 'time' ? `1970-01-01T${value}Z` : value))) return false;
  const folded = foldedText(text);
  return (type === 'time' || DAYS.test(folded)) && (type === 'date' || TIMES.test(folded));
}
