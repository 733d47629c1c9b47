import { localTimeAt, MINUTES_PER_DAY, MS_PER_MINUTE, parseEndOfWindow } from '#kernel/calendar.ts';
import type { Assessment } from './assess.ts';
import { type DialingSpan, dialingDays } from './dialing-days.ts';

/** Every weekday once. */
const DAYS_LOOKED_AT = 7;
/** Local minutes of a day at which nobody expects to be called: until 07:00, and from 22:00. */
const NIGHTS = [
  { from: 0, until: 7 * 60 },
  { from: 22 * 60, until: MINUTES_PER_DAY },
];
/** A day on which the clocks change is shorter by so much at most, in minutes. */
const MAX_CLOCK_CHANGE = 120;

export interface DayHours {
  /** Open minutes of the longest of the next days; null when none of them is open. */
  longestDayMinutes: number | null;
  /** Most open minutes at night of one of the next days, where the hours are limited at all; 0: none. */
  nightMinutes: number;
}

/** The hours of a campaign's first days. Source: D5.6 */
export function dayHours({ at, zone, window, policies }: Pick<Assessment, 'at' | 'zone' | 'window' | 'policies'>): DayHours {
  const first = localTimeAt(zone, Math.max(at, Number.isFinite(window.startsAt) ? window.startsAt : at)).day;
  const openOf = (hours: typeof window) => dialingDays({ window: hours, policies, zone }, first, DAYS_LOOKED_AT).map(({ open }) => open);
  const longest = Math.max(...openOf(window).map(minutesOf));
  // The planned start and end cut a day short without saying anything of the hours.
  const limited = openOf({ ...window, startsAt: -Infinity, endsAt: Infinity }).filter(isLimited);
  return { longestDayMinutes: longest === 0 ? null : Math.floor(longest), nightMinutes: Math.max(0, ...limited.map(nightMinutesOf)) };
}

function minutesOf(spans: readonly DialingSpan[]): number {
  return spans.reduce((sum, { opensAt, closesAt }) => sum + (closesAt - opensAt) / MS_PER_MINUTE, 0);
}

function isLimited(spans: readonly DialingSpan[]): boolean {
  return minutesOf(spans) < MINUTES_PER_DAY - MAX_CLOCK_CHANGE;
}

function nightMinutesOf(spans: readonly DialingSpan[]): number {
  const overlap = ({ start, end }: DialingSpan, night: (typeof NIGHTS)[number]) =>
    Math.max(0, Math.min(minuteOf(end), night.until) - Math.max(minuteOf(start), night.from));
  return spans.reduce((sum, span) => sum + NIGHTS.reduce((own, night) => own + overlap(span, night), 0), 0);
}

function minuteOf(time: string): number {
  return parseEndOfWindow(time) ?? 0;
}
