import type { FoundNumber } from './find-numbers.ts';
import { asideOf, EACH_BEFORE, IN_ALL } from './number-aside.ts';
import { round, spokenYear, startsNumber } from './number-parser.ts';
import { converted, measureOf, measuresFor, type NumberAsked, PERSONS, PLAIN_CHARS } from './number-units.ts';
import { OTHERS_ASKED } from './persons.ts';
import { NOW, type Span, standing } from './spoken-text.ts';

/** A value with its confidence, 0..1. */
export interface NumberReading {
  value: number;
  confidence: number;
  span: Span;
}

/** Other persons whose age or income may be mentioned. */
const OTHERS = /(?:老伴|老婆|老公|爱人|媳妇|儿子|女儿|孩子|小孩|爸|妈|他|她|孙子|孙女|对象)\s*(?:今年|都|也|是|有)?\s*$/;
const SELF = /(?:我|本人|自己)\s*(?:嘛|呢|今年|都|也|是|有|现在|才|快)?\s*$/;

const CERTAIN = 0.96;
const LIKELY = 0.9;
const DOUBTFUL = 0.7;

/** A number with its rank for a field. */
export interface RankedNumber {
  number: FoundNumber;
  rank: number;
  /** Reason why it was taken back, denied, or is about something else; 0 when there is none. */
  aside: number;
}

/** Numbers of an utterance; `current` are those that were neither taken back nor denied. */
export interface HeardNumbers {
  numbers: readonly FoundNumber[];
  current: readonly FoundNumber[];
}

export function heardNumbers(numbers: readonly FoundNumber[], text: string): HeardNumbers {
  return { numbers, current: standing(numbers, text) };
}

/** Number of this reason, above those of `asideOf`. */
const TAKEN_BACK = 99;

/** Ranks every number for a field by its unit and context. */
export function rankNumbers({ numbers, current }: HeardNumbers, text: string, asked: NumberAsked): RankedNumber[] {
  const tellsNow = NOW.test(text);
  return numbers.map(number => ({
    number,
    rank: rankOf(number, text, asked) + namedBy(asked, number, text) + (tellsNow && isOfNow(number, text) ? NOW_RANK : 0),
    aside: current.includes(number) ? asideOf(number, text, asked) : TAKEN_BACK,
  }));
}

const isFitting = ({ rank, aside }: RankedNumber) => aside === 0 && rank > REFUSED_RANK;

/** Picks the number that the field asks for; null when none fits. */
export function pickNumber(ranked: readonly RankedNumber[], text: string, asked: NumberAsked): NumberReading | null {
  let best: RankedNumber | undefined;
  for (const one of ranked) if (isFitting(one) && (best === undefined || one.rank > best.rank)) best = one;
  if (best === undefined) return null;
  const { rank, number } = best;
  const isRivalled = ranked.some(one => one.rank === rank && one.number.value !== number.value && isFitting(one));
  return {
    value: valueAsked(number, text, asked),
    confidence: isRivalled ? DOUBTFUL : rank >= UNIT_RANK ? CERTAIN : LIKELY,
    span: number,
  };
}

/** Converts a number to the unit of the label. */
export function valueAsked(number: FoundNumber, text: string, asked: NumberAsked): number {
  if (asked.isInTenThousands && (number.value >= 10_000 || /^[块元圆]/.test(number.unit))) return round(number.value / 10_000);
  const count = measuresFor(number, text, asked);
  return count === 1 ? converted(number, asked) : round(converted(number, asked) / count);
}

/** `以前有二十亩 占了五亩 现在剩十五亩`: among equals, the current value wins. */
const NOW_RANK = 0.4;

function isOfNow({ start }: FoundNumber, text: string): boolean {
  return NOW.test(text.slice(0, start).replace(/^.*[\s,，。]/s, ''));
}

const UNIT_RANK = 3;
const REFUSED_RANK = -2;
/** Rank of another thing's unit, the top of a scale, or what a price is for (`一吨五百六`): said, but not asked for. */
const ASIDE_RANK = -1;

const CLOSE_CHARS = 4;
const NAMED_CHARS = 8;
const NAMED_RANK = 2;
/** `六个大人两个小孩 总共八位`: the sum takes precedence over its parts. */
const SUM_RANK = 1;
const TOP_OF_SCALE = /满分(?:是)?\s*$/;

/** `锻炼一次一个半小时`: a frequency, not a number by itself. */
const EACH_TIME = /一(?:次|趟|回|天|个月|年)\s*$/;
/** `三千二一个月`: the unit that the price is for. */
const PRICE_BEFORE = /(?:[块元毛]钱?|[百千万][一二两三四五六七八九]?)\s?$/;
/** The preceding number with its unit. */
const LAST_NUMBER = /^.*[\d一二两三四五六七八九十百千万零](?:[个位名箱件台套盒瓶份张本只条辆次遍楼层室栋斤吨亩岁天年月周晚间桌片粒头])?/;
/** A pause, or the next number. */
const NEXT = /(?:[\s,，。]|(?!^)[\d一二两三四五六七八九十百千万零]).*$/;

/** `五块一斤`, `三千二一个月`: the 1 of a price's unit. */
function isWhatFor({ start, end, unit, value }: FoundNumber, text: string): boolean {
  if (value !== 1 || unit === '') return false;
  const next = text.slice(end + unit.length).trimStart();
  return startsNumber(next.charAt(0)) || PRICE_BEFORE.test(text.slice(0, start));
}

/** Returns how well the context of a number matches the label: `低压` in `高压一百五 低压九十`. */
function namedBy(ask: NumberAsked, number: FoundNumber, text: string): number {
  const { start, end, unit } = number;
  const { reading, own, words, persons } = ask;
  const before = text
    .slice(Math.max(0, start - NAMED_CHARS), start)
    .replace(EACH_TIME, '')
    .replace(LAST_NUMBER, '');
  const after = text.slice(end, end + NAMED_CHARS).replace(NEXT, '');
  if (isWhatFor(number, text) || TOP_OF_SCALE.test(before) || (after.charAt(unit.length) === '制' && after.startsWith(unit)))
    return ASIDE_RANK - UNIT_RANK;
  if (!ask.asksForEach && EACH_BEFORE.test(before)) return ASIDE_RANK;
  if (reading !== 'floor' && IN_ALL.test(text.slice(0, start))) return SUM_RANK;
  const { isVague, isOwn } = measureOf(unit, ask);
  if (own && isVague && !isOwn) return 0;
  if (persons && PERSONS.some(person => person.test(after))) return persons.test(after) ? NAMED_RANK : ASIDE_RANK;
  if (ask.asksForRest && REST_BEFORE.test(before)) return UNIT_RANK + 1;
  const measured = words.includes(unit) && !PLAIN_CHARS.has(unit) ? (unit.length > 1 ? UNIT_RANK : Math.min(1, unit.length)) : 0;
  return measured + namedRank(ask, before, after.slice(unit.length));
}

/** A year with all digits, or the last two as spoken: `七零年的`. */
const YEAR = /(?<![\d零〇一二三四五六七八九十])(?:[\d零〇一二三四五六七八九]{4}|[\d零〇一二三四五六七八九]{2})(?=年|$)/;
/** Last year of this century that two digits name: a plan may lie ahead. */
const LAST_YEAR = 2_029;

/** Reads the year that the utterance names; null when there is none. */
export function readYear(text: string): NumberReading | null {
  const said = YEAR.exec(text);
  if (!said) return null;
  return { value: spokenYear(said[0], LAST_YEAR), confidence: LIKELY, span: { start: said.index, end: said.index + said[0].length } };
}

const REST_BEFORE = /还有|还剩|剩|余/;

function namedRank({ reading, own, pairs, chars }: NumberAsked, before: string, after: string): number {
  if (pairs.some(pair => before.includes(pair) || after.includes(pair))) return UNIT_RANK + 2;
  const last = before.replace(/[了过]$/, '').slice(-1);
  if (chars.includes(last)) return own === undefined || reading === 'money' ? UNIT_RANK + 1 : 1;
  if (chars.some(char => after.startsWith(char))) return NAMED_RANK;
  return chars.some(char => before.slice(-CLOSE_CHARS).includes(char)) ? 1 : 0;
}

/** Ranks by person: the speaker's own number is preferred, unless the label asks for another person's. */
function personRank(before: string, asksOfOthers: boolean): number {
  const person = OTHERS.test(before) ? -1 : SELF.test(before) ? 1 : 0;
  return asksOfOthers ? -person : person;
}

/** Bonus for the label's own unit over one that must be converted. */
const EXACT = 0.5;

function rankOf({ unit, start }: FoundNumber, text: string, asked: NumberAsked): number {
  const { label, reading, own, measure } = asked;
  const before = text.slice(Math.max(0, start - 6), start);
  const person = reading === 'age' || reading === 'money' ? personRank(before, OTHERS_ASKED.test(label)) : 0;
  if (unit === '') return person;
  if (own === undefined && measure === unit) return UNIT_RANK;
  const { isOwn, isDistinctive, isConverted } = measureOf(unit, asked);
  if (own === undefined) return isDistinctive ? -1 : 1;
  if (isOwn) return UNIT_RANK + person + (isConverted ? 0 : EXACT);
  return isDistinctive ? REFUSED_RANK : ASIDE_RANK + person;
}
