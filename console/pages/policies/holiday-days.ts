/** Marks that a day can have. */
export const MARKS = ['holiday', 'everyYear', 'workday', 'none'] as const;
export type Mark = (typeof MARKS)[number];

export interface Holidays {
  /** `YYYY-MM-DD`. */
  dates: readonly string[];
  /** `MM-DD`. */
  recurringDates: readonly string[];
  /** Make-up workdays, `YYYY-MM-DD`, on which calls are placed nonetheless. */
  workdayOverrides: readonly string[];
}

/** The mark of a day under these lists. */
export function markOf({ dates, recurringDates, workdayOverrides }: Holidays, date: string): Mark {
  if (workdayOverrides.includes(date)) return 'workday';
  if (dates.includes(date)) return 'holiday';
  return recurringDates.includes(date.slice(5)) ? 'everyYear' : 'none';
}

/** The lists after a day was marked; marking a day again with the same mark removes it. */
export function marked(holidays: Holidays, date: string, mark: Mark): Holidays {
  const wanted = markOf(holidays, date) === mark ? 'none' : mark;
  const without = (list: readonly string[], entry: string) => list.filter(each => each !== entry);
  const put = (list: readonly string[], entry: string, isIn: boolean) =>
    isIn ? [...without(list, entry), entry].toSorted() : without(list, entry);
  // A yearly day leaves the list only when it is marked as one, or when all marks are removed: a make-up workday overrides it.
  const keepsYearly = wanted === 'workday' || wanted === 'holiday';
  return {
    dates: put(holidays.dates, date, wanted === 'holiday'),
    recurringDates: keepsYearly ? holidays.recurringDates : put(holidays.recurringDates, date.slice(5), wanted === 'everyYear'),
    workdayOverrides: put(holidays.workdayOverrides, date, wanted === 'workday'),
  };
}

/** The lists with further holidays and make-up workdays; existing days are kept. */
export function withDays(holidays: Holidays, { dates, workdays }: { dates: readonly string[]; workdays: readonly string[] }): Holidays {
  const joined = (list: readonly string[], added: readonly string[]) => [...new Set([...list, ...added])].toSorted();
  return { ...holidays, dates: joined(holidays.dates, dates), workdayOverrides: joined(holidays.workdayOverrides, workdays) };
}

/** Days of a month, with a null for each empty cell before the first, as weeks begin on Monday. */
export function monthDays(year: number, month: number): (string | null)[] {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const before = (first.getUTCDay() + 6) % 7;
  const days = Array.from(
    { length: count },
    (_, index) => `${year}-${String(month).padStart(2, '0')}-${String(index + 1).padStart(2, '0')}`,
  );
  return [...Array.from({ length: before }, () => null), ...days];
}

/** Marked days of the year, in order. */
export function daysOfYear(holidays: Holidays, year: number): { date: string; mark: Mark }[] {
  const dates = [
    ...holidays.dates,
    ...holidays.workdayOverrides,
    ...holidays.recurringDates.map(monthDay => `${year}-${monthDay}`).filter(isOnCalendar),
  ];
  return [...new Set(dates)]
    .filter(date => date.startsWith(`${year}-`))
    .toSorted()
    .map(date => ({ date, mark: markOf(holidays, date) }));
}

/** Rejects, for instance, 29 February in other years than leap years. */
function isOnCalendar(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
