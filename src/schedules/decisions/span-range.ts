import { localTimeAt, MS_PER_DAY, startOfDay } from '#kernel/calendar.ts';
import type { Span } from '../schedule.ts';

/** Units: UTC ms, `to` excluded */
export interface InstantRange {
  from: number;
  to: number;
}

/**
 * The range of a span at the instant of a run. A day, week (from Monday) or month begins when the clocks of the zone say so, so that a day of a
 * clock change has 23 or 25 hours.
 */
export function rangeOf(span: Span, zone: string, at: number): InstantRange {
  const { day, weekday } = localTimeAt(zone, at);
  const days = (from: number, to: number) => ({ from: startOfDay(zone, from), to: startOfDay(zone, to) });
  const monday = day - weekday + 1;
  const first = firstOfMonth(day);
  const ranges: Readonly<Record<Span, () => InstantRange>> = {
    today: () => ({ from: startOfDay(zone, day), to: at }),
    yesterday: () => days(day - 1, day),
    last_24_hours: () => ({ from: at - MS_PER_DAY, to: at }),
    last_7_days: () => days(day - 7, day),
    last_30_days: () => days(day - 30, day),
    this_week: () => ({ from: startOfDay(zone, monday), to: at }),
    last_week: () => days(monday - 7, monday),
    this_month: () => ({ from: startOfDay(zone, first), to: at }),
    last_month: () => days(firstOfMonth(first - 1), first),
  };
  return notEmpty(ranges[span]());
}

/** The first day of the month of a day, both as day numbers. */
function firstOfMonth(day: number): number {
  return day - new Date(day * MS_PER_DAY).getUTCDate() + 1;
}

/** At midnight sharp "today" has not begun: it is the minute to come, in which nothing has happened yet. */
function notEmpty({ from, to }: InstantRange): InstantRange {
  return { from, to: to > from ? to : from + 60_000 };
}
