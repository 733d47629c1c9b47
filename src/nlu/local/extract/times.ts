import { readEnglishNumber } from './english-numbers.ts';
import { readNumber } from './number-parser.ts';
import { matchesOf, clauseStart, type Span } from './spoken-text.ts';

/** A time of day that the speaker names; 24:00 is 0:00 with `nextDay`. */
export interface FoundTime extends Span {
  hour: number;
  minute: number;
  nextDay: boolean;
  /** Part of the day, if it was named. */
  period: Period | null;
}

/** A delay from now. */
export interface FoundDelay extends Span {
  minutes: number;
}

type Period = 'night' | 'morning' | 'noon' | 'afternoon' | 'evening';

const PERIODS: readonly (readonly [RegExp, Period])[] = [
  [/凌晨|半夜|夜里|深夜|后半夜|midnight/, 'night'],
  [/清晨|早上|早晨|早|上午|头晌|morning|\bam\b|a\.m/, 'morning'],
  [/中午|正午|晌午|noon/, 'noon'],
  [/下午|午后|后晌|afternoon|\bpm\b|p\.m/, 'afternoon'],
  [/傍晚|晚上|晚间|晚|夜晚|擦黑|天黑|黑里|evening|night/, 'evening'],
];

const PERIOD = '(凌晨|半夜|夜里|深夜|清晨|早上|早晨|上午|中午|正午|晌午|下午|午后|傍晚|晚上|晚间|夜晚|[今明昨当]早|[今明昨当]晚|早|晚)?';
const HOUR = '(\\d{1,2}|[零〇一二两三四五六七八九十]{1,3})';
const MINUTE = '(\\d{1,2}|[零〇一二三四五六七八九十]{1,3})';
const CLOCK = new RegExp(
  `${PERIOD}的?[\\s,，]?(?:差(${MINUTE}分|一刻)[钟]?)?(?:到)?${HOUR}(?:点|时(?!候))(?!\\d*[%个])(?:钟|整|半|([一三])刻|过?零?${MINUTE}(?!分?钟[后以]|[十\\d])分?|多|左右)?`,
  'g',
);
const DIGITAL = new RegExp(`${PERIOD}[\\s,，]?(\\d{1,2})[:：](\\d{2})(?:\\s?([ap])\\.?m)?`, 'g');
const NAMED = /\b(noon|midnight)\b/g;
const ENGLISH =
  /(?:\b(half past|(?:a )?quarter past|(?:a )?quarter to|(?:five|ten|twenty|twenty five) (?:minutes )?(?:past|to)|at|around) )?\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: (thirty|fifteen|forty five))?(?: ?(o'?clock|am|pm|a\.m\.?|p\.m\.?))?(?: in the (morning|afternoon|evening))?\b/g;

/** Characters of which every time of day, or every delay, contains at least one. */
const NAMES_TIME = /[点时:：]|[a-z]/;
const NAMES_DELAY = /[时钟]|[a-z]/;

/** Lists the times of day named in a folded utterance in order. A time without a period takes the preceding one. */
export function findTimes(text: string): FoundTime[] {
  if (!NAMES_TIME.test(text)) return [];
  const found = [...chineseTimes(text), ...digitalTimes(text), ...englishTimes(text), ...namedTimes(text)].sort(
    (one, other) => one.start - other.start,
  );
  let period: Period | null = null;
  return found
    .map(time => {
      period = time.period ?? leadingPeriod(text, time) ?? period ?? trailingPeriod(text, time);
      return onClock({ ...time, period });
    })
    .filter(time => time.hour <= 23 && time.minute <= 59);
}

/** `便宜一点`, `一点都不`: 一点 means a little, not one o'clock. */
const A_LITTLE = /^一点$/;
const A_LITTLE_AFTER = /(?:(?![在到约就是改天号期日一二三四五六末那成])\p{Script=Han})$/u;
const A_LITTLE_BEFORE = /^(?:都|也|不|没|儿|意|点|用)/;

function isALittle(text: string, { index, 0: whole }: RegExpExecArray): boolean {
  if (!A_LITTLE.test(whole.trim())) return false;
  return A_LITTLE_AFTER.test(text.slice(Math.max(0, index - 1), index)) || A_LITTLE_BEFORE.test(text.slice(index + whole.length));
}

function chineseTimes(text: string): FoundTime[] {
  const clocks = matchesOf(CLOCK, text).filter(match => !isALittle(text, match));
  return clocks.flatMap(match => {
    const [whole, period, before, beforeMinutes, hour, quarter, minute] = match;
    const said = { start: match.index, end: match.index + whole.length, period: periodOf(period), nextDay: false };
    const short = before === undefined ? 0 : beforeMinutes === undefined ? 15 : numeral(beforeMinutes);
    const past = pastMinutes(whole, quarter, minute);
    if (past > LAST_MINUTE) return [];
    const total = numeral(hour) * 60 + past - short;
    return [{ ...said, hour: Math.floor(total / 60), minute: total % 60 }];
  });
}

const LAST_MINUTE = 59;

function pastMinutes(whole: string, quarter: string | undefined, minute: string | undefined): number {
  if (whole.endsWith('半')) return 30;
  if (quarter !== undefined) return quarter === '三' ? 45 : 15;
  return minute === undefined ? 0 : numeral(minute);
}

function digitalTimes(text: string): FoundTime[] {
  return matchesOf(DIGITAL, text).map(match => {
    const [whole, period, hour, minute, half] = match;
    const said = half === undefined ? periodOf(period) : half === 'a' ? 'morning' : 'afternoon';
    return {
      start: match.index,
      end: match.index + whole.length,
      hour: Number(hour),
      minute: Number(minute),
      nextDay: false,
      period: said,
    };
  });
}

const HALF_DAYS: Record<string, string> = { a: 'am', p: 'pm' };

function englishTimes(text: string): FoundTime[] {
  const times: FoundTime[] = [];
  for (const match of matchesOf(ENGLISH, text)) {
    const [whole, lead, hour = '', past, mark, period] = match;
    // A bare number is not a time: another word must mark it as one.
    const isRange = MINUTES_LEAD.test(lead ?? '') && mark === undefined && period === undefined;
    if ((lead === undefined && mark === undefined && period === undefined) || isRange) continue;
    const value = /^\d/.test(hour) ? Number(hour) : (readEnglishNumber(hour, 0)?.value ?? 0);
    const shift = leadMinutes(lead);
    const minutes = value * 60 + shift + (past === undefined ? 0 : (readEnglishNumber(past, 0)?.value ?? 0));
    const said = periodOf(period ?? (mark === undefined ? undefined : HALF_DAYS[mark.charAt(0)]));
    times.push({
      start: match.index,
      end: match.index + whole.length,
      hour: Math.floor(minutes / 60),
      minute: minutes % 60,
      nextDay: false,
      period: said,
    });
  }
  return times;
}

/** `ten to eight` may be a range of hours; only `ten to eight pm` is a time. */
const MINUTES_LEAD = /^(?:five|ten|twenty)/;

function leadMinutes(lead: string | undefined): number {
  if (lead === undefined || !/(?:past|to)$/.test(lead)) return 0;
  const minutes = lead.startsWith('half') ? 30 : lead.includes('quarter') ? 15 : (readEnglishNumber(lead, 0)?.value ?? 0);
  return lead.endsWith('to') ? -minutes : minutes;
}

function namedTimes(text: string): FoundTime[] {
  return matchesOf(NAMED, text).map(({ index, 0: word }) => {
    const isNoon = word === 'noon';
    return {
      start: index,
      end: index + word.length,
      hour: isNoon ? 12 : 0,
      minute: 0,
      nextDay: !isNoon,
      period: isNoon ? 'noon' : 'night',
    };
  });
}

/** `晚上要加到十点`: the last part of the day that the clause names before the time. */
function leadingPeriod(text: string, { start, hour }: FoundTime): Period | null {
  const clause = text.slice(clauseStart(text, start), start);
  const period = periodOf(clause.match(PARTS_OF_DAY)?.at(-1));
  return period === 'morning' && hour < EARLIEST_LED_HOUR ? null : period;
}

/** `早上跟你们约的三点` is not an hour of the morning. */
const EARLIEST_LED_HOUR = 5;

const PARTS_OF_DAY =
  /凌晨|半夜|夜里|深夜|清晨|清早|早上|早起|早班|早晨|上午|头晌|中午|正午|晌午|下午|午后|后晌|傍晚|晚上|晚间|夜晚|擦黑|天黑|黑里/g;

/** `差五分三点 下午`: the period may follow the time. */
function trailingPeriod(text: string, { end }: Span): Period | null {
  const after = /^[\s,，]*(凌晨|早上|上午|中午|下午|傍晚|晚上)(?!\S{0,2}[点时])/.exec(text.slice(end))?.[1];
  return periodOf(after);
}

function periodOf(word: string | undefined): Period | null {
  return word === undefined ? null : (PERIODS.find(([pattern]) => pattern.test(word))?.[1] ?? null);
}

/** Appointments are not made for the small hours: a bare `三点` is in the afternoon. */
const EARLIEST_BARE_HOUR = 7;

/** `夜里七点` is in the evening. */
const EARLIEST_NIGHT_HOUR = 7;

function onClock(time: FoundTime): FoundTime {
  const { hour, period } = time;
  if (hour === 24) return { ...time, hour: 0, nextDay: true };
  if (hour > 12) return time;
  if (period === 'night') return hour === 12 ? { ...time, hour: 0 } : { ...time, hour: hour >= EARLIEST_NIGHT_HOUR ? hour + 12 : hour };
  if (period === 'evening') return hour === 12 ? { ...time, hour: 0, nextDay: true } : { ...time, hour: hour + 12 };
  if (period === 'afternoon') return { ...time, hour: hour === 12 ? 12 : hour + 12 };
  if (period === 'noon') return { ...time, hour: hour <= 3 ? hour + 12 : hour };
  if (period === 'morning') return time;
  return { ...time, hour: hour >= 1 && hour < EARLIEST_BARE_HOUR ? hour + 12 : hour };
}

const COUNT = '(\\d+(?:\\.\\d+)?|[零一二两三四五六七八九十百半]{1,4}|一个半|两个半)';
const DELAY = new RegExp(`(过)?${COUNT}个?(半)?(小时|钟头|分钟|刻钟)(半)?(以后|之后|过后|后)?`, 'g');
const ENGLISH_DELAY = /\bin ([a-z\d]+(?: [a-z]+)?) (hour|minute)s?\b/g;

/** Lists delays from now: `过半个小时`, `两个小时以后`, `in two hours`. */
export function findDelays(text: string): FoundDelay[] {
  const found: FoundDelay[] = [];
  if (!NAMES_DELAY.test(text)) return found;
  for (const match of matchesOf(DELAY, text)) {
    const [whole, past, count, half, unit, halfAfter, later] = match;
    if (past === undefined && later === undefined && !/^[\s]*(?:再|给|打|联系|来)/.test(text.slice(match.index + whole.length))) continue;
    const amount = numeral(count) + (half === undefined && halfAfter === undefined ? 0 : 0.5);
    const minutes = amount * (unit === '分钟' ? 1 : unit === '刻钟' ? 15 : 60);
    found.push({ start: match.index, end: match.index + whole.length, minutes: Math.round(minutes) });
  }
  for (const match of matchesOf(ENGLISH_DELAY, text)) {
    const word = match[1] ?? '';
    const amount = /^(?:a|an)$/.test(word)
      ? 1
      : word === 'half an'
        ? 0.5
        : /^\d/.test(word)
          ? Number(word)
          : (readEnglishNumber(word, 0)?.value ?? 0);
    found.push({ start: match.index, end: match.index + match[0].length, minutes: Math.round(amount * (match[2] === 'hour' ? 60 : 1)) });
  }
  return found;
}

function numeral(text: string | undefined): number {
  if (text === undefined) return 0;
  return /^\d/.test(text) ? Number(text) : (readNumber(text, 0)?.value ?? Number.NaN);
}
