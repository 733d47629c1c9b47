/** A number in the text; `end` is exclusive. */
export interface ReadNumber {
  value: number;
  start: number;
  end: number;
}

/** Characters of every digit; 俩 and 仨 count people and things. */
const DIGIT_CHARS = ['零〇', '一壹幺', '二贰两俩', '三叁仨', '四肆', '五伍', '六陆', '七柒', '八捌', '九玖'];
const DIGITS = new Map(DIGIT_CHARS.flatMap((chars, digit) => Array.from(chars, char => [char, digit] as const)));
const ARABIC = /(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/y;
/** Characters that can start a number. */
export const NUMBER_START = '0123456789零〇一壹二贰两三叁四肆五伍六陆七柒八捌九玖十百千幺俩仨半廿卅';
const STARTS = new Set(NUMBER_START);
/** Kind and value of a character within a number. */
interface Part {
  kind: 'digit' | 'tens' | 'small' | 'large' | 'about';
  worth: number;
}

/**
 * By kind: digits; tens in one character; tens, hundreds and thousands; large units, which multiply all before them; and approximations, which
 * add nothing (`二十多万`, `十几万`, `两百来万`).
 */
const PARTS = new Map<string, Part>([
  ...Array.from('0123456789', digit => [digit, { kind: 'digit', worth: Number(digit) }] as const),
  ...Array.from(DIGITS, ([char, worth]) => [char, { kind: 'digit', worth }] as const),
  ...partsOf('tens', { 廿: 20, 卅: 30 }),
  ...partsOf('small', { 十: 10, 拾: 10, 百: 100, 佰: 100, 千: 1_000, 仟: 1_000 }),
  ...partsOf('large', { 万: 10_000, 萬: 10_000, 亿: 100_000_000 }),
  ...partsOf('about', { 多: 0, 几: 0, 来: 0, 余: 0, 好: 0 }),
]);

function partsOf(kind: Part['kind'], worths: Readonly<Record<string, number>>): (readonly [string, Part])[] {
  return Object.entries(worths).map(([char, worth]) => [char, { kind, worth }] as const);
}

/** Whether a number can start with this character. */
export function startsNumber(char: string): boolean {
  return STARTS.has(char);
}

/** `七八千一个月`: a measure word starts a new count, which does not belong to the preceding number. */
const COUNTED = /[个天年月位]/;
/** `两百一晚`, `五块一斤`: what may follow the 一 of a price per unit. */
export const PRICED_MEASURE =
  '(?:公?斤|千克|克|吨|[个件箱瓶盒袋包晚夜天月年次人位平米方亩头只条张本套台份节杯碗串把束枝朵升度桌间户]|小时|公里|课时)';
const PER_ONE = new RegExp(`^${PRICED_MEASURE}`);

interface Parts {
  total: number;
  section: number;
  digit: number | null;
  /** Value of the last unit: `一千二` is 1200. */
  lastUnit: number;
  afterZero: boolean;
}

/**
 * Reads the number that starts at `start`: `350`, `1.5万`, `三百五十`, `两万三`, `一亿两千万`, `三点五`, `二十多万`, `三四十`, `半`.
 *
 * Shape: null when none starts there; the lower end of a range (`三四十`)
 */
export function readNumber(text: string, start: number): ReadNumber | null {
  if (text.charAt(start) === '半') return { value: 0.5, start, end: start + 1 };
  const spelled = readSpelledDigits(text, start);
  if (spelled) return spelled;
  const parts: Parts = { total: 0, section: 0, digit: null, lastUnit: 1, afterZero: false };
  const end = readParts(text, start, parts);
  if (end === start) return null;
  return withDecimals(text, { value: sumOf(parts), start, end });
}

function readParts(text: string, start: number, parts: Parts): number {
  let at = start;
  while (at < text.length) {
    const next = readPart(text, at, at === start, parts);
    if (next === at) break;
    at = next;
  }
  return at;
}

/** Reads one digit, Arabic number or unit; returns its end, or `at` when there is none. */
function readPart(text: string, at: number, isFirst: boolean, parts: Parts): number {
  const part = PARTS.get(text.charAt(at));
  if (part === undefined) return at;
  if (part.kind === 'digit') return takeDigit(text, at, part.worth, parts);
  if (part.kind === 'small') return takeSmallUnit(at, part.worth, isFirst, parts);
  if (part.kind === 'large') return takeLargeUnit(at, part.worth, isFirst, parts);
  if (part.kind === 'tens') return isFirst ? takeTens(at, part.worth, parts) : at;
  return isFirst ? at : takeAbout(text, at, parts);
}

function takeTens(at: number, value: number, parts: Parts): number {
  parts.section = value;
  parts.lastUnit = 10;
  return at + 1;
}

function takeSmallUnit(at: number, unit: number, isFirst: boolean, parts: Parts): number {
  if (parts.digit === null && !isFirst && parts.lastUnit <= unit && parts.lastUnit > 1 && parts.section > 0) return at;
  parts.section += (parts.digit ?? 1) * unit;
  parts.digit = null;
  parts.lastUnit = unit;
  parts.afterZero = false;
  return at + 1;
}

function takeLargeUnit(at: number, unit: number, isFirst: boolean, parts: Parts): number {
  const section = parts.section + (parts.digit ?? 0);
  if (isFirst || (section === 0 && parts.total === 0)) return at;
  parts.total = unit > 10_000 ? (parts.total + section) * unit : parts.total + section * unit;
  parts.section = 0;
  parts.digit = null;
  parts.lastUnit = unit;
  parts.afterZero = false;
  return at + 1;
}

/** `十来个`, `三百多`, `二十多万`: skips the approximation. */
function takeAbout(text: string, at: number, parts: Parts): number {
  if (parts.lastUnit === 1 || parts.digit !== null) return at;
  const next = text.charAt(at + 1);
  return text.charAt(at) === '好' && PARTS.get(next)?.kind !== 'large' ? at : at + 1;
}

function takeDigit(text: string, at: number, worth: number, parts: Parts): number {
  const arabic = readArabic(text, at);
  const digit = arabic === undefined ? worth : Number(arabic.replaceAll(',', ''));
  const length = arabic?.length ?? 1;
  if (parts.lastUnit >= 100 && !parts.afterZero && parts.digit === null && isPrice(text, at, length)) return at;
  if (parts.digit !== null) return followsInRange(parts.digit, digit) ? at + length : at;
  if (digit === 0 && length === 1 && parts.lastUnit > 1) {
    parts.afterZero = true;
    return at + 1;
  }
  if (text.charAt(at) === '俩' || text.charAt(at) === '仨') return at > 0 && parts.section > 0 ? at : takeWord(at, digit, parts);
  parts.digit = digit;
  return at + length;
}

function readArabic(text: string, at: number): string | undefined {
  if (text.charAt(at) < '0' || text.charAt(at) > '9') return undefined;
  ARABIC.lastIndex = at;
  return ARABIC.exec(text)?.[0];
}

function isPrice(text: string, at: number, length: number): boolean {
  const after = text.slice(at + length, at + length + 2);
  return COUNTED.test(after.charAt(0)) || (text.charAt(at) === '一' && PER_ONE.test(after));
}

function takeWord(at: number, digit: number, parts: Parts): number {
  parts.digit = digit;
  return at + 1;
}

/** `三四十`, `八九`: consecutive digits form a range. */
function followsInRange(first: number, second: number): boolean {
  return second === first + 1 && first >= 1 && second <= 9;
}

function sumOf({ total, section, digit, lastUnit, afterZero }: Parts): number {
  if (digit === null) return total + section;
  const tail = lastUnit >= 100 && !afterZero && digit < 10 && Number.isInteger(digit) ? (digit * lastUnit) / 10 : digit;
  return total + section + tail;
}

const DECIMALS = /点((?:[零〇一二两三四五六七八九幺]|\d)+)/y;

function withDecimals(text: string, read: ReadNumber): ReadNumber {
  if (text.charAt(read.end) !== '点') return read;
  DECIMALS.lastIndex = read.end;
  const digits = DECIMALS.exec(text)?.[1];
  if (digits === undefined) return read;
  const fraction = Array.from(digits, char => DIGITS.get(char) ?? char).join('');
  const value = Number(`${Math.trunc(read.value)}.${fraction}`);
  const end = read.end + 1 + digits.length;
  const part = PARTS.get(text.charAt(end));
  const unit = part?.kind === 'large' || part?.kind === 'small' ? part.worth : 1;
  return { value: round(value * unit), start: read.start, end: unit === 1 ? end : end + 1 };
}

const SPELLED = /(?:[零〇一二三四五六七八九幺两]){3,}(?![十百千万亿点])/y;

/** `二零二七`, `一二三四`: digits spoken one by one. */
function readSpelledDigits(text: string, start: number): ReadNumber | null {
  if (PARTS.get(text.charAt(start + 1))?.kind !== 'digit') return null;
  SPELLED.lastIndex = start;
  const spelled = SPELLED.exec(text)?.[0];
  if (spelled === undefined) return null;
  return { value: Number(Array.from(spelled, char => DIGITS.get(char) ?? 0).join('')), start, end: start + spelled.length };
}

/** Removes binary rounding noise. */
export function round(value: number): number {
  return Number(value.toPrecision(15));
}

const CENTURY = 100;

/** Reads a year from its digits, all four or the last two: 八五 is 1985. Two digits name no year later than `last`. */
export function spokenYear(digits: string, last: number): number {
  const value = Number(Array.from(digits, char => DIGITS.get(char) ?? char).join(''));
  if (value >= CENTURY) return value;
  const century = last - (last % CENTURY);
  return value + (century + value <= last ? century : century - CENTURY);
}
