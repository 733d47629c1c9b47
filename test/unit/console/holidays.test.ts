import { describe, expect, test } from '@jest/globals';
import { daysOfYear, marked, markOf, monthDays, withDays } from '../../../console/pages/policies/holiday-days.ts';

describe('a year of holidays', () => {
  const empty = { dates: [], recurringDates: [], workdayOverrides: [] };

  test('a day has one mark, of which make-up workday takes precedence; a second click removes it', () => {
    const yearly = marked(empty, '2027-10-01', 'everyYear');
    expect(yearly.recurringDates).toEqual(['10-01']);
    const workday = marked(yearly, '2027-10-01', 'workday');
    expect([markOf(workday, '2027-10-01'), markOf(workday, '2028-10-01')]).toEqual(['workday', 'everyYear']);
    expect(marked(marked(empty, '2027-05-03', 'holiday'), '2027-05-03', 'holiday')).toEqual(empty);
    expect(marked(yearly, '2027-10-01', 'none')).toEqual(empty);
  });

  test('a month begins on its weekday; 29 February exists only in leap years', () => {
    expect(monthDays(2027, 2).slice(0, 2)).toEqual(['2027-02-01', '2027-02-02']);
    expect(monthDays(2026, 3).indexOf('2026-03-01')).toBe(6);
    const leap = { ...empty, recurringDates: ['02-29'] };
    expect([daysOfYear(leap, 2027), daysOfYear(leap, 2028)]).toEqual([[], [{ date: '2028-02-29', mark: 'everyYear' }]]);
  });
});

test('statutory days join those that stand, each once and in order', () => {
  const before = { dates: ['2026-12-24', '2026-01-01'], recurringDates: ['05-01'], workdayOverrides: [] };
  expect(withDays(before, { dates: ['2026-01-01', '2026-10-01'], workdays: ['2026-10-10'] })).toEqual({
    dates: ['2026-01-01', '2026-10-01', '2026-12-24'],
    recurringDates: ['05-01'],
    workdayOverrides: ['2026-10-10'],
  });
});
