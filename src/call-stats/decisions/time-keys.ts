import { dateText, localTimeAt, MS_PER_DAY, offsetMsAt } from '#kernel/calendar.ts';

/** Groupings by time, read in the time zone of the question. */
export const TIME_DIMENSIONS = ['hour', 'hour_of_day', 'weekday', 'day', 'week', 'month'] as const;
export type TimeDimension = (typeof TIME_DIMENSIONS)[number];

const MS_PER_HOUR = 3_600_000;
export const MS_PER_QUARTER = 900_000;

/**
 * The key of an instant: `2026-11-29T08:00:00.000Z` the beginning of the local hour, `08`, `1` Monday to `7` Sunday, `2026-11-29`, the
 * Monday of the week, `2026-11`. Texts of one dimension sort as their times do.
 */
export function timeKeyOf(dimension: TimeDimension, zone: string, at: number): string {
  const { day, minute, weekday } = localTimeAt(zone, at);
  switch (dimension) {
    case 'hour':
      return new Date(startOfHour(zone, at)).toISOString();
    case 'hour_of_day':
      return String(Math.floor(minute / 60)).padStart(2, '0');
    case 'weekday':
      return String(weekday);
    case 'day':
      return dateText(day);
    case 'week':
      return dateText(day - weekday + 1);
    case 'month':
      return dateText(day).slice(0, 7);
    default:
      return dimension satisfies never;
  }
}

/** Where a change of clocks lies within the hour, its beginning has the offset of before: in Lord Howe, clocks move by half an hour. */
function startOfHour(zone: string, at: number): number {
  const offset = offsetMsAt(zone, at) % MS_PER_DAY;
  const local = Math.floor((at + offset) / MS_PER_HOUR) * MS_PER_HOUR;
  return local - (offsetMsAt(zone, local - offset) % MS_PER_DAY);
}

/** The keys of the four quarters of a UTC hour; all are one in a zone whose hours are those of UTC. */
export function quarterKeys(dimension: TimeDimension, zone: string, hour: number): readonly string[] {
  return [0, 1, 2, 3].map(quarter => timeKeyOf(dimension, zone, hour + quarter * MS_PER_QUARTER));
}
