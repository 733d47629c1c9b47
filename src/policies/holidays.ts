import { dateText, parseDate } from '#kernel/calendar.ts';
import { readGenerated } from '#platform/files/generated-data.ts';

/** Shape of the file that `npm run data -- holidays` writes beside this one. */
export const HOLIDAYS_FILE = 'holidays.json.br';
/** Written by hand from the notices of the State Council: a generator does not know the make-up days. */
const CHINA_FILE = 'china-holidays.json';

/** Public holidays of many countries, computed for some years. */
export interface HolidaysFile {
  source: string;
  /** Date on which they were computed, `YYYY-MM-DD`. */
  asOf: string;
  years: number[];
  /** ISO 3166-1 code → name → dates, `YYYY-MM-DD`. */
  countries: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

interface ChinaFile {
  country: string;
  asOf: string;
  note: string;
  notices: { year: number; source: string; holidays: { name: string; from: string; to: string; workdays: string[] }[] }[];
}

/** The public holidays of a country. */
export interface HolidayCalendar {
  /** ISO 3166-1 code. */
  country: string;
  /** Publications that the dates come from. */
  sources: string[];
  /** Date of the data, `YYYY-MM-DD`. */
  asOf: string;
  /** Years that the dates cover. */
  years: number[];
  /** Remark for the user, Chinese; null when there is none. */
  note: string | null;
  /** By date; a date with two holidays is listed once. */
  holidays: { date: string; name: string }[];
  /** Days of a weekend on which people work instead, by date. */
  workdays: string[];
}

let calendars: ReadonlyMap<string, HolidayCalendar> | null = null;

/** Codes of the countries whose holidays are known, in alphabetical order. */
export function holidayCountries(): string[] {
  return [...all().keys()].toSorted();
}

/** Null when the country is not known. Source: D8.9 */
export function holidaysOf(country: string): HolidayCalendar | null {
  return all().get(country) ?? null;
}

/** Read at the first question. */
function all(): ReadonlyMap<string, HolidayCalendar> {
  if (calendars) return calendars;
  const china = chinaCalendar(readGenerated(CHINA_FILE, import.meta.url) as ChinaFile);
  const { source, asOf, years, countries } = readGenerated(HOLIDAYS_FILE, import.meta.url) as HolidaysFile;
  const computed = Object.entries(countries).map(([country, named]): [string, HolidayCalendar] => {
    const holidays = byDate(Object.entries(named).flatMap(([name, dates]) => dates.map(date => ({ date, name }))));
    return [country, { country, sources: [source], asOf, years, note: COMPUTED, holidays, workdays: [] }];
  });
  calendars = new Map([...computed, [china.country, china]]);
  return calendars;
}

const COMPUTED = '按公开规则推算，不含地区性假日、半天假日和临时决定的放假；请在使用前核对。';

function chinaCalendar({ country, asOf, note, notices }: ChinaFile): HolidayCalendar {
  const spans = notices.flatMap(({ holidays }) => holidays);
  return {
    country,
    sources: notices.map(({ source }) => source),
    asOf,
    years: notices.map(({ year }) => year),
    note,
    holidays: byDate(spans.flatMap(({ name, from, to }) => datesBetween(from, to).map(date => ({ date, name })))),
    workdays: spans.flatMap(({ workdays }) => workdays).toSorted(),
  };
}

function byDate(holidays: HolidayCalendar['holidays']): HolidayCalendar['holidays'] {
  return Array.from(
    Map.groupBy(holidays, ({ date }) => date),
    ([date, same]) => ({ date, name: same.map(({ name }) => name).join('、') }),
  ).toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** Both inclusive. */
function datesBetween(from: string, to: string): string[] {
  const [first, last] = [parseDate(from) ?? 0, parseDate(to) ?? -1];
  return Array.from({ length: last - first + 1 }, (_, index) => dateText(first + index));
}
