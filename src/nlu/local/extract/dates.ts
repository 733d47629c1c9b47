import { patternFilter } from '../acts/pattern-filter.ts';
import { addDays, addMonths, type Day, daysInMonth, exists, isBefore, weekday } from './calendar.ts';
import { readEnglishNumber } from './english-numbers.ts';
import { readNumber, spokenYear } from './number-parser.ts';
import { matchesOf, type Span } from './spoken-text.ts';

/** A day that the speaker names. */
export interface FoundDate extends Span {
  /** Null for a day that does not exist (二月三十号) or that the Gregorian calendar does not determine (大年初一). */
  day: Day | null;
  /** A holiday gives way to any other named day. */
  isHoliday?: boolean;
}

const NUMERAL = '(\\d{1,4}|[零〇一二两三四五六七八九十半幺]{1,4}|几)';
const MONTH_WORD = '(上上个?月|下下个?月|上个?月|下个?月|这个?月|本月|当月)';
const YEAR_WORD = '(大前年|前年|去年|今年|本年|明年|后年|\\d{4}年?|[零〇一二三四五六七八九]{4}年|(?:\\d{2}|[零〇一二三四五六七八九]{2})年)';

interface Rule {
  pattern: RegExp;
  day: (groups: readonly (string | undefined)[], today: Day) => Day | null;
}

/** Ways to name a day, the most specific first; where two overlap, the earlier rule wins. */
const RULES: readonly Rule[] = [
  {
    // Lunar days are matched as such, so that no part of their name is read as another day.
    pattern:
      /(?:农历|阴历|旧历|老历)(?:[正一二三四五六七八九十冬腊]{1,2}月)?(?:初?[一二三四五六七八九十廿卅]{1,3})?|(?:大年|正月|腊月|冬月)(?:初?[一二三四五六七八九十廿卅]{1,3})?|除夕|年三十|春节|中秋节?|端午节?|清明节?|元宵节?|重阳节?/g,
    day: () => null,
  },
  {
    pattern: /(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})[日号]?/g,
    day: ([year, month, day]) => valid(Number(year), Number(month), Number(day)),
  },
  {
    pattern: new RegExp(`(?:${YEAR_WORD}的?)?(?:${NUMERAL}|元)月份?(?:${NUMERAL}[号日]?|(初|中旬?|底|末))`, 'g'),
    day: ([year, month, day, part], today) => monthDay(yearOf(year, today), numeral(month ?? '一'), day, part, today),
  },
  {
    pattern: new RegExp(`${MONTH_WORD}的?(?:${NUMERAL}[号日]?(?![点个天年岁块])|(初|中旬?|底|末))`, 'g'),
    day: ([month, day, part], today) => inMonth(addMonths({ ...today, day: 1 }, monthShift(month)), day, part),
  },
  {
    pattern: /(?<![\d/.-])(\d{1,2})\/(\d{1,2})(?![\d/])/g,
    day: ([month, day], today) => monthDay(null, Number(month), day, undefined, today),
  },
  { pattern: /\bthe (\d{1,2})(?:st|nd|rd|th)\b/g, day: ([day], today) => dayOfMonth(Number(day), today) },
  {
    pattern: new RegExp(`${NUMERAL}[号日](?![楼院店线单码])`, 'g'),
    day: ([day], today) => dayOfMonth(numeral(day), today),
  },
  { pattern: /(年底|年末|年初|月底|月末|月初|月中)/g, day: ([word], today) => namedPart(word ?? '', today) },
  {
    pattern:
      /(大前天|前天|前儿个?|昨天|昨日|昨晚|昨儿?个|昨儿|夜个儿?|听日|今天|今日|今晚|今早|今儿?个|今儿|大后天|大后儿|后天|后儿?个|后儿|明天|明日|明早|明晚|明儿?个|明儿|隔天|(?<!节|号|日)当天)/g,
    day: ([word], today) => addDays(today, RELATIVE_DAYS.find(([name]) => name.test(word ?? ''))?.[1] ?? 0),
  },
  {
    pattern: new RegExp(
      `过?${NUMERAL}(?:个)?(天|日|星期|礼拜|周|月|年)(?:之后|以后|过后|后)|过${NUMERAL}(?:个)?(天|日|星期|礼拜|周|月|年)`,
      'g',
    ),
    day: ([count, unit, count2, unit2], today) => after(numeral(count ?? count2), unit ?? unit2 ?? '', today),
  },
  {
    pattern: new RegExp(`${NUMERAL}(?:个)?(天|日|星期|礼拜|周|月|年)(?:之|以)?前`, 'g'),
    day: ([count, unit], today) => after(-numeral(count), unit ?? '', today),
  },
  {
    pattern: /(上上个?|下下个?|上个?|下个?|这个?|本)?(?:周|星期|礼拜)([一二三四五六日天末1-6])/g,
    day: ([shift, name], today) => weekDay(shift, name ?? '', today),
  },
  {
    pattern:
      /(大前年|前年|去年|今年|明年|后年)?的?(元旦|情人节|妇女节|劳动节|五一|儿童节|(?<![\d零幺一二三四五六七八九十])六一(?![\d零幺一二三四五六七八九十])|国庆节?|十一(?=放假|假期|长假)|圣诞节?|双十一|双11|双十二|双12)/g,
    day: ([year, name], today) => holiday(name ?? '', yearOf(year, today), today),
  },
  {
    pattern: /\b(the day after tomorrow|tomorrow|today|tonight|yesterday)\b/g,
    day: ([word], today) => addDays(today, ENGLISH_DAYS[word ?? ''] ?? 0),
  },
  {
    pattern: /\b(next |this |on )?(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/g,
    day: ([shift, name], today) => englishWeekDay(shift, name ?? '', today),
  },
  {
    pattern: /\bin ([a-z\d]+) (day|week|month)s?\b/g,
    day: ([count, unit], today) => after(englishCount(count ?? ''), ENGLISH_UNITS[unit ?? ''] ?? '天', today),
  },
  {
    pattern:
      /\b(january|february|march|april|may|june|july|august|september|october|november|december) (?:the )?(\d{1,2}(?:st|nd|rd|th)?|[a-z]+(?:[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|one|two|three|four|five|six|seven|eight|nine))?)/g,
    day: ([month, day], today) => monthDay(null, MONTHS.indexOf(month ?? '') + 1, String(englishCount(day ?? '')), undefined, today),
  },
];

const FILTER = patternFilter(RULES.map(({ pattern }) => pattern));
const candidates = new Uint8Array(RULES.length);

const RELATIVE_DAYS: readonly (readonly [RegExp, number])[] = [
  [/^大前/, -3],
  [/^前/, -2],
  [/^[昨夜]/, -1],
  [/^[今当]/, 0],
  [/^大后/, 3],
  [/^后/, 2],
  [/^[明隔听]/, 1],
];
const ENGLISH_DAYS: Record<string, number> = { 'the day after tomorrow': 2, tomorrow: 1, today: 0, tonight: 0, yesterday: -1 };
const ENGLISH_UNITS: Record<string, string> = { day: '天', week: '周', month: '月' };
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const HOLIDAYS: readonly (readonly [RegExp, number, number])[] = [
  [/元旦/, 1, 1],
  [/情人/, 2, 14],
  [/妇女/, 3, 8],
  [/劳动|五一/, 5, 1],
  [/儿童|六一/, 6, 1],
  [/双十一|双11/, 11, 11],
  [/双十二|双12/, 12, 12],
  [/国庆|十一/, 10, 1],
  [/圣诞/, 12, 25],
];

const HOLIDAY_NAME =
  /^(?:元旦|情人节|妇女节|劳动节|五一|儿童节|六一|国庆节?|十一|圣诞节?|春节|除夕|年三十|中秋节?|端午节?|清明节?|元宵节?|重阳节?)$/;
/** `过完国庆再说`, `国庆之后`: an unspecified day around the holiday. */
const AROUND_AFTER = /^(?:节)?(?:长假|假期|放假)?(?:之?后|以后|过后|之?前|以前|过了|过完|期间|左右|回来)/;
const AROUND_BEFORE = /(?:过完|过了|等过|等到|忙完|等)$/;

/** Lists the days named in a folded utterance in order, without overlaps; `day` is null where the day cannot be determined. */
export function findDates(text: string, today: Day): FoundDate[] {
  const found: FoundDate[] = [];
  // A stretch that names an impossible day (二月三十号) must not be read again by a later rule.
  const read: Span[] = [];
  const count = FILTER.candidates(text, candidates);
  for (let at = 0; at < count; at += 1) {
    const { pattern, day } = RULES[candidates[at] as number] as Rule;
    for (const match of matchesOf(pattern, text)) {
      const span = { start: match.index, end: match.index + match[0].length };
      if (read.some(other => other.start < span.end && span.start < other.end)) continue;
      read.push(span);
      const named = day(match.slice(1), today);
      const isHoliday = HOLIDAY_NAME.test(match[0]);
      const isAnchor = isHoliday && (AROUND_AFTER.test(text.slice(span.end)) || AROUND_BEFORE.test(text.slice(0, span.start)));
      found.push({ ...span, day: isAnchor ? null : named, isHoliday });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

function numeral(text: string | undefined): number {
  if (text === undefined) return Number.NaN;
  return /^\d+$/.test(text) ? Number(text) : (readNumber(text, 0)?.value ?? Number.NaN);
}

function valid(year: number, month: number, day: number): Day | null {
  const named = { year, month, day };
  return exists(named) ? named : null;
}

/** Years ahead that a two-digit year may name: documents expire some years ahead, and few living people were born a century ago. */
const YEARS_AHEAD = 5;
const YEAR_SHIFT: Record<string, number> = { 大前年: -3, 前年: -2, 去年: -1, 今年: 0, 本年: 0, 明年: 1, 后年: 2 };

function yearOf(word: string | undefined, today: Day): number | null {
  if (word === undefined) return null;
  const shift = YEAR_SHIFT[word];
  if (shift !== undefined) return today.year + shift;
  return spokenYear(word.replace('年', ''), today.year + YEARS_AHEAD);
}

/** Without a year, the next such day is meant. */
function monthDay(year: number | null, month: number, day: string | undefined, part: string | undefined, today: Day): Day | null {
  const inYear = (chosen: number) => inMonth({ year: chosen, month, day: 1 }, day, part);
  const named = inYear(year ?? today.year);
  return named && year === null && isBefore(named, today) ? inYear(today.year + 1) : named;
}

function inMonth({ year, month }: Day, day: string | undefined, part: string | undefined): Day | null {
  if (day !== undefined) return valid(year, month, numeral(day));
  if (part === undefined || month < 1 || month > 12) return null;
  if (part === '初') return { year, month, day: 1 };
  return { year, month, day: part.startsWith('中') ? 15 : daysInMonth(year, month) };
}

function monthShift(word: string | undefined): number {
  if (word === undefined) return 0;
  const size = /^(?:上上|下下)/.test(word) ? 2 : 1;
  if (word.startsWith('上')) return -size;
  return word.startsWith('下') ? size : 0;
}

/** `十五号` is in this month, or in the next month once it has passed. */
function dayOfMonth(day: number, today: Day): Day | null {
  const named = valid(today.year, today.month, day);
  if (named && !isBefore(named, today)) return named;
  const next = addMonths({ ...today, day: 1 }, 1);
  return valid(next.year, next.month, day);
}

function namedPart(word: string, today: Day): Day {
  if (word === '年底' || word === '年末') return { year: today.year, month: 12, day: 31 };
  if (word === '年初') return { year: today.year + 1, month: 1, day: 1 };
  if (word === '月中') return dayOfMonth(15, today) ?? today;
  if (word === '月初') return addMonths({ ...today, day: 1 }, 1);
  return { ...today, day: daysInMonth(today.year, today.month) };
}

function after(count: number, unit: string, today: Day): Day | null {
  if (!Number.isFinite(count)) return null;
  if (unit === '月') return count === 0.5 ? addDays(today, 15) : addMonths(today, count);
  if (unit === '年') return addMonths(today, 12 * count);
  return addDays(today, Math.round(count * (unit === '天' || unit === '日' ? 1 : 7)));
}

/** A weekday without a preceding word is the next one to come. */
function weekDay(shift: string | undefined, name: string, today: Day): Day {
  const number = name === '末' ? 6 : '一二三四五六日'.indexOf(name) + 1 || (name === '天' ? 7 : Number(name));
  const here = weekday(today);
  if (shift === undefined) return addDays(today, number > here || (name === '末' && number === here) ? number - here : number - here + 7);
  return addDays(today, number - here + 7 * monthShift(shift));
}

function englishWeekDay(shift: string | undefined, name: string, today: Day): Day {
  const distance = (WEEKDAYS.indexOf(name) + 1 - weekday(today) + 7) % 7 || 7;
  if (shift !== 'next ') return addDays(today, distance);
  return addDays(today, WEEKDAYS.indexOf(name) + 8 - weekday(today));
}

function holiday(name: string, year: number | null, today: Day): Day | null {
  const rule = HOLIDAYS.find(([pattern]) => pattern.test(name));
  return rule ? monthDay(year, rule[1], String(rule[2]), undefined, today) : null;
}

function englishCount(word: string): number {
  if (word === 'a' || word === 'an') return 1;
  return /^\d/.test(word) ? Number.parseInt(word, 10) : (readEnglishNumber(word, 0)?.value ?? Number.NaN);
}
