import { addDays, addMonths, type Day, daysBetween, exists, isBefore, isoDate, isoDateTime } from './calendar.ts';
import { trait, type ValueCandidate } from './candidates.ts';
import type { NamedTimes } from './moment.ts';
import { type Span, standing } from './spoken-text.ts';
import type { FoundTime } from './times.ts';

const YEAR_SAID = /年|\d{4}/;
const WEEKDAY = /周|礼拜|星期/;
/** Relative to today, so that no other day has the same name. */
const RELATIVE = /[今明昨前后上下这本过听隔]|[a-z]/;
const PART_OF_MONTH = /^月/;
const DAY_ALONE = /[号日]$/;

/** Context for the days of an utterance. */
interface AboutDays {
  text: string;
  today: Day;
  /** Whether the day belongs to another person. */
  isOfAnother: boolean;
  ruled: { value: string | null; confidence: number };
}

/** A candidate for every day in the utterance; a day without year or month gives a past and a future one. */
export function dateCandidates(dates: NamedTimes['dates'], about: AboutDays): ValueCandidate[] {
  const current = new Set(standing(dates, about.text));
  let named: Day | null = null;
  return dates.flatMap(date => {
    const { start, end, day, isHoliday } = date;
    if (!day) return [];
    const said = about.text.slice(start, end);
    const days = distinctDays([day, ...otherDays(said, day, about.today), ...sameMonth(said, day, named)]);
    if (said.includes('月')) named = day;
    const kind = kindOfDay(said, isHoliday === true);
    const takenBack = trait('takenBack', !current.has(date));
    return days.map((_named, at) => {
      const candidate = dayCandidate(days, at, kind, about);
      return { start, end, ...candidate, traits: [...candidate.traits, takenBack] };
    });
  });
}

function dayCandidate(
  days: readonly Day[],
  at: number,
  kind: number,
  { today, isOfAnother, ruled }: AboutDays,
): Omit<ValueCandidate, keyof Span> {
  const named = days[at] as Day;
  const isPast = isBefore(named, today);
  const told = Number(isPast) + (days.length > 1 ? 2 : 0);
  return {
    value: isoDate(named),
    side: isPast ? 1 : 2,
    ruled: at === 0 && ruled.value === isoDate(named) ? ruled.confidence : 0,
    traits: [
      trait('told', told),
      trait('kindOfDay', kind),
      trait('otherDay', at),
      trait('farness', farness(named, today)),
      trait('toldKind', 4 * kind + told),
      trait('ofAnother', isOfAnother),
    ],
  };
}

/** Signed distance of a day from today, on a logarithmic scale (powers of two of days); negative for the past. */
function farness(day: Day, today: Day): number {
  const days = daysBetween(today, day);
  return Math.sign(days) * Math.ceil(Math.log2(1 + Math.abs(days)));
}

function kindOfDay(said: string, isHoliday: boolean): number {
  if (isHoliday) return 1;
  const kinds = [WEEKDAY, /[今明后昨前]/, YEAR_SAID, /月/, DAY_ALONE];
  const at = kinds.findIndex(kind => kind.test(said));
  return at < 0 ? 2 + kinds.length : 2 + at;
}

/** `四月三号到六号`: a day alone belongs to the month named before it, a month without a year to the year named before it. */
function sameMonth(said: string, day: Day, named: Day | null): Day[] {
  if (named === null || YEAR_SAID.test(said) || RELATIVE.test(said)) return [];
  const { year } = named;
  const inMonth = said.includes('月') ? { ...day, year } : DAY_ALONE.test(said) ? { ...day, year, month: named.month } : null;
  return inMonth && exists(inMonth) ? [inMonth] : [];
}

function distinctDays(days: readonly Day[]): Day[] {
  return days.filter((day, at) => days.findIndex(other => daysBetween(day, other) === 0) === at);
}

/** The day of the same name on the other side of today: `三月五号` may be past or future. */
function otherDays(said: string, day: Day, today: Day): Day[] {
  if (RELATIVE.test(said) || YEAR_SAID.test(said)) return [];
  const isToCome = isBefore(today, day);
  if (WEEKDAY.test(said)) return isBefore(day, today) ? [] : [addDays(day, -7)];
  if (PART_OF_MONTH.test(said)) return [addMonths(day, isToCome ? -1 : 1)];
  if (said.includes('月')) return [addMonths(day, isToCome ? -12 : 12)];
  if (DAY_ALONE.test(said)) return [addMonths(day, isToCome ? -1 : 1)];
  return isToCome ? [addMonths(day, -12)] : [];
}

/** Most days and times that are combined: a long utterance may contain hundreds of each. */
const MAX_PAIRED = 16;

/** A candidate for each pair of a day and a time; `hours` are in the order of `times`. */
export function dateTimeCandidates(
  days: readonly ValueCandidate[],
  hours: readonly ValueCandidate[],
  { times, timeZone }: { times: NamedTimes['times']; timeZone: string },
): ValueCandidate[] {
  return days.slice(0, MAX_PAIRED).flatMap(day =>
    hours.slice(0, MAX_PAIRED).map((hour, at) => ({
      start: Math.min(day.start, hour.start),
      end: Math.max(day.end, hour.end),
      value: atTime(String(day.value), times[at] as FoundTime, timeZone),
      side: day.side,
      ruled: day.ruled > 0 && hour.ruled > 0 ? day.ruled : 0,
      traits: [...day.traits, ...hour.traits],
    })),
  );
}

function atTime(date: string, { hour, minute, nextDay }: FoundTime, timeZone: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const named = nextDay ? addDays({ year, month, day }, 1) : { year, month, day };
  return isoDateTime({ ...named, hour, minute }, timeZone);
}
