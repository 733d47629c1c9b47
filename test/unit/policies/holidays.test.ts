import { expect, test } from '@jest/globals';
import { parseDate, weekdayOf } from '#kernel/calendar.ts';
import { holidayCountries, holidaysOf } from '#policies/holidays.ts';

const china = holidaysOf('CN');
const ofYear = (dates: readonly string[] = [], year: number) => dates.filter(date => date.startsWith(String(year)));

test.each([
  [2024, 28, 8],
  [2025, 28, 5],
  [2026, 33, 6],
])('China has in %i the days of the State Council: %i off, %i made up for [D8.9]', (year, off, madeUp) => {
  expect(
    ofYear(
      china?.holidays.map(({ date }) => date),
      year,
    ),
  ).toHaveLength(off);
  expect(ofYear(china?.workdays, year)).toHaveLength(madeUp);
});

test('each make-up day of China is a Saturday or Sunday, and no holiday', () => {
  const holidays = new Set(china?.holidays.map(({ date }) => date));
  expect(china?.workdays.filter(date => weekdayOf(parseDate(date) ?? 0) < 6 || holidays.has(date))).toEqual([]);
});

test('what is not published is not invented', () => {
  expect(china?.years).toEqual([2024, 2025, 2026]);
  expect(china?.note).toContain('2027');
  expect(ofYear(china?.workdays, 2027)).toEqual([]);
});

test.each([
  ['US', '2026-11-26', 'Thanksgiving Day'],
  ['DE', '2027-05-06', 'Ascension Day'],
  ['GB', '2026-12-28', 'Boxing Day (substitute day)'],
  ['SA', '2026-05-29', 'Feast of the Sacrifice (Eid al-Adha)'],
  ['JP', '2026-09-22', "Citizens' Holiday"],
])('%s has %s: %s', (country, date, name) => {
  expect(holidaysOf(country)?.holidays).toContainEqual({ date, name });
});

test('every date of every country is valid, listed once and inside the years', () => {
  const countries = holidayCountries();
  expect(countries).toEqual(expect.arrayContaining(['BR', 'CN', 'FR', 'ID', 'IN', 'MX', 'RU']));
  for (const country of countries) {
    const { holidays = [], workdays = [], years = [], sources = [] } = holidaysOf(country) ?? {};
    const dates = holidays.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].toSorted());
    expect([...dates, ...workdays].filter(date => parseDate(date) === null)).toEqual([]);
    // A span at the turn of the year may begin before it or end after it.
    expect(dates.filter(date => !years.some(year => Math.abs(Number(date.slice(0, 4)) - year) <= 1))).toEqual([]);
    expect(sources.length).toBeGreaterThan(0);
  }
});

test('a country without data has no calendar', () => {
  expect(holidaysOf('XX')).toBeNull();
});
