import type { FoundNumber } from './find-numbers.ts';
import { round, startsNumber } from './number-parser.ts';
import type { Reading } from './readings.ts';
import { type Span, standing } from './spoken-text.ts';

/** A value with how sure the reading is, 0..1. */
export interface NumberReading {
  value: number;
  confidence: number;
  span: Span;
}

/** The measure words of each reading; those of the others speak against it. */
const UNITS: Partial<Record<Reading, RegExp>> = {
  age: /^(?:周岁|岁|years?)$/,
  money: /^(?:块钱|块|元钱|元|圆|毛|角|人民币|rmb|yuan|dollars?)$/,
  people: /^(?:个人|个大人|口人|口|人|位|名|个|people|persons?)$/,
  area: /^(?:平方米|平米|平方|平|㎡)$/,
  rate: /^(?:%|％|个?点|成|折|‰)$/,
  months: /^(?:期|个月|月|年|months?|years?|个)$/,
  years: /^(?:年|个月|years?)$/,
  days: /^(?:天|日|晚|夜|周|个?星期|个?礼拜|个周|个月|days?|weeks?)$/,
  hours: /^(?:个?小时|个?钟头|分钟|天|hours?|minutes?)$/,
  minutes: /^(?:分钟|个?小时|个?钟头|分|minutes?|hours?)$/,
  score: /^(?:分|星|颗星|级|点)$/,
  floor: /^(?:楼|层)$/,
  distance: /^(?:万?公里|千米|里|km)$/,
  weight: /^(?:公?斤|千克|吨|kg)$/,
  degrees: /^(?:度|℃)$/,
  centimetres: /^(?:厘米|公分|cm|米|m)$/,
};
/** Measure words that belong to some reading: they tell numbers apart. `个` and `点` belong to too many. */
const TELLING =
  /^(?:万?公里|千米|公?斤|千克|吨|升|亩|晚|夜|周岁|岁|块钱|块|元|圆|毛|人民币|平方米|平米|平方|平|期|个月|年|天|小时|个小时|钟头|分钟|楼|层|室|厅|卫|单元|栋|幢|号|月|日|%|周|星期|礼拜)$/;

/** Converts a measure to the field's own: `一年` is twelve months, `两打` twenty-four. */
const CONVERSIONS: Partial<Record<Reading, readonly (readonly [RegExp, number])[]>> = {
  months: [[/^(?:年|years?)$/, 12]],
  years: [[/^个月$/, 1 / 12]],
  days: [
    [/周|星期|礼拜|week/, 7],
    [/^个月$/, 30],
  ],
  hours: [
    [/^(?:分钟|minutes?)$/, 1 / 60],
    [/^天$/, 24],
  ],
  minutes: [[/小时|钟头|hour/, 60]],
  centimetres: [[/^[米m]$/, 100]],
};
const DOZEN = /^打$/;

/** Other people of whom an age or an income may be said. */
const OTHERS = /(?:老伴|老婆|老公|爱人|媳妇|儿子|女儿|孩子|小孩|爸|妈|他|她|孙子|孙女|对象)\s*(?:今年|都|也|是|有)?\s*$/;
const SELF = /(?:我|本人|自己)\s*(?:今年|都|也|是|有|现在|才|快)?\s*$/;

const CERTAIN = 0.96;
const LIKELY = 0.9;
const DOUBTFUL = 0.7;

/** What a number field asks for. */
export interface NumberAsked {
  label: string;
  reading: Reading;
}

/** Picks the number that the field asks for, or null. */
export function readNumberField(numbers: readonly FoundNumber[], text: string, { label, reading }: NumberAsked): NumberReading | null {
  const ranked = standing(numbers, text)
    .map(number => ({ number, rank: rankOf(number, text, { label, reading }) + namedBy({ label, reading }, number, text) }))
    .filter(({ rank }) => rank > REFUSED_RANK);
  const [first] = ranked;
  if (!first) return null;
  const best = ranked.reduce((top, one) => (one.rank > top.rank ? one : top), first);
  const rivals = ranked.filter(({ rank, number }) => rank === best.rank && number.value !== best.number.value).length;
  return {
    value:
      IN_TEN_THOUSANDS.test(label) && best.number.value >= 10_000 ? round(best.number.value / 10_000) : converted(best.number, reading),
    confidence: rivals > 0 ? DOUBTFUL : best.rank >= UNIT_RANK ? CERTAIN : LIKELY,
    span: best.number,
  };
}

const IN_TEN_THOUSANDS = /万元|[（(]万[)）]/;

const UNIT_RANK = 3;
const REFUSED_RANK = -2;
/** A measure of something else; the top of a scale; what a price is for (`一吨五百六`): said, but not what is asked. */
const ASIDE_RANK = -1;

/** Two of these characters together name what is asked; any other character of a label does so alone, right before the number. */
const PLAIN_CHARS = new Set('数量金额价格款费用人多少一是几号总个的时间单位大约元年月日天度'.split(''));
const CLOSE_CHARS = 4;
const NAMED_CHARS = 8;
const NAMED_RANK = 2;
/** Grown-ups and children, as labels and customers call them. */
const PERSONS: readonly RegExp[] = [/大人|成人|成年人/, /小孩|孩子|儿童|娃|小朋友/];
const TOP_OF_SCALE = /满分(?:是)?\s*$/;

const EACH_BEFORE = /每\p{Script=Han}{0,2}\s*$/u;
const ASKS_EACH = /每|均|单/;
/** The number before, with its measure. */
const LAST_NUMBER = /^.*[\d一二两三四五六七八九十百千万零](?:[个位名箱件台套盒瓶份张本只条辆次遍楼层室栋斤吨亩岁天年月周晚间桌片粒头])?/;
/** A pause, or the next number. */
const NEXT = /(?:[\s,，。]|(?!^)[\d一二两三四五六七八九十百千万零]).*$/;

/** How far the words around a number are those of the label: `低压` in `高压一百五 低压九十`. */
function namedBy({ label, reading }: NumberAsked, { start, end, unit, value }: FoundNumber, text: string): number {
  const before = text.slice(Math.max(0, start - NAMED_CHARS), start).replace(LAST_NUMBER, '');
  const after = text.slice(end, end + NAMED_CHARS).replace(NEXT, '');
  const next = text.slice(end + unit.length).trimStart();
  const isPrice = value === 1 && unit !== '' && startsNumber(next.charAt(0));
  if (isPrice || TOP_OF_SCALE.test(before) || after.startsWith(`${unit}制`)) return ASIDE_RANK - UNIT_RANK;
  if (EACH_BEFORE.test(before) && !ASKS_EACH.test(label)) return ASIDE_RANK;
  const asked = PERSONS.find(person => person.test(label));
  if (asked && PERSONS.some(person => person.test(after))) return asked.test(after) ? NAMED_RANK : ASIDE_RANK;
  if (LEFT.test(label) && LEFT_BEFORE.test(before)) return UNIT_RANK + 1;
  const words = label.replace(/每./g, '');
  const measured = unit.length === 1 && !PLAIN_CHARS.has(unit) && words.includes(unit) ? 1 : 0;
  return measured + namedRank({ label: words, reading }, before, after.slice(unit.length));
}

/** A year, all of it or the last two digits as they are said: `七零年的`. */
const YEAR = /(?<![\d零〇一二三四五六七八九十])(?:[\d零〇一二三四五六七八九]{4}|[\d零〇一二三四五六七八九]{2})(?=年|$)/;
const DIGITS = '零一二三四五六七八九';
const CENTURY = 100;
/** Years of two digits up to this one are of this century. */
const LAST_OF_THIS = 29;

/** Reads the year that the utterance names, or null. */
export function readYear(text: string): NumberReading | null {
  const said = YEAR.exec(text);
  if (!said) return null;
  const value = Number(said[0].replace('〇', '零').replace(/[^\d]/g, char => String(DIGITS.indexOf(char))));
  const century = value < CENTURY ? (value <= LAST_OF_THIS ? 2_000 : 1_900) : 0;
  return { value: century + value, confidence: LIKELY, span: { start: said.index, end: said.index + said[0].length } };
}

/** What is left over, as labels and customers say it. */
const LEFT = /余额|剩余|还剩/;
const LEFT_BEFORE = /还有|还剩|剩|余/;

function namedRank({ label, reading }: NumberAsked, before: string, after: string): number {
  for (let at = 0; at + 1 < label.length; at += 1) {
    const pair = label.slice(at, at + 2);
    if (HAN_PAIR.test(pair) && (before.includes(pair) || after.includes(pair))) return UNIT_RANK + 2;
  }
  const chars = Array.from(label).filter(char => HAN.test(char) && !PLAIN_CHARS.has(char));
  if (chars.some(char => before.replace(/[了过]$/, '').endsWith(char)))
    return UNITS[reading] === undefined || reading === 'money' ? UNIT_RANK + 1 : 1;
  if (chars.some(char => after.startsWith(char))) return NAMED_RANK;
  return chars.some(char => before.slice(-CLOSE_CHARS).includes(char)) ? 1 : 0;
}

const HAN = /\p{Script=Han}/u;
const HAN_PAIR = /^\p{Script=Han}{2}$/u;

/** Of whom a number is said: of the speaker, unless the label asks of somebody else. */
function personRank(before: string, asksOfOthers: boolean): number {
  const person = OTHERS.test(before) ? -1 : SELF.test(before) ? 1 : 0;
  return asksOfOthers ? -person : person;
}

const OTHERS_ASKED = /配偶|爱人|老婆|老公|孩子|子女|父|母|老人|对方/;

function rankOf({ unit, start }: FoundNumber, text: string, { label, reading }: NumberAsked): number {
  const own = UNITS[reading];
  const before = text.slice(Math.max(0, start - 6), start);
  const person = reading === 'age' || reading === 'money' ? personRank(before, OTHERS_ASKED.test(label)) : 0;
  if (unit === '') return person;
  if (own === undefined) return TELLING.test(unit) ? -1 : 1;
  if (own.test(unit)) return UNIT_RANK + person;
  return TELLING.test(unit) ? REFUSED_RANK : ASIDE_RANK + person;
}

function converted({ value, unit }: FoundNumber, reading: Reading): number {
  if (DOZEN.test(unit)) return value * 12;
  const factor = CONVERSIONS[reading]?.find(([pattern]) => pattern.test(unit))?.[1] ?? 1;
  return reading === 'days' && unit === '个月' && value === 0.5 ? HALF_MONTH_DAYS : round(value * factor);
}

const HALF_MONTH_DAYS = 15;
