import { clockChangeAfter, localTimeAt, MINUTES_PER_DAY, MS_PER_DAY, MS_PER_MINUTE, offsetMsAt } from '#kernel/calendar.ts';

/** A half-open range of minutes within a day, 0 ≤ start < end ≤ 1440. */
interface MinuteRange {
  start: number;
  end: number;
}

/**
 * The open hours of a week.
 *
 * Shape: seven lists, Monday first; ranges sorted, not overlapping or adjacent
 */
export type WeekSchedule = readonly (readonly MinuteRange[])[];

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const WHOLE_DAY: readonly MinuteRange[] = [{ start: 0, end: MINUTES_PER_DAY }];

export const ALWAYS: WeekSchedule = WEEKDAYS.map(() => WHOLE_DAY);
export const NEVER: WeekSchedule = WEEKDAYS.map(() => []);

/** The window [start, end) on every day; `start` > `end` crosses midnight. */
export function dailySchedule(start: number, end: number): WeekSchedule {
  return weeklySchedule(WEEKDAYS, start, end);
}

/**
 * The window [start, end) on the given weekdays; a window that crosses midnight belongs to the day on which it starts.
 *
 * Units: weekdays 1 = Monday … 7 = Sunday; minutes of the day, start ≠ end
 */
export function weeklySchedule(weekdays: readonly number[], start: number, end: number): WeekSchedule {
  const week: MinuteRange[][] = WEEKDAYS.map(() => []);
  for (const weekday of weekdays) {
    if (start < end) week[weekday - 1]?.push({ start, end });
    else {
      week[weekday - 1]?.push({ start, end: MINUTES_PER_DAY });
      if (end > 0) week[weekday % 7]?.push({ start: 0, end });
    }
  }
  return week.map(merged);
}

/** Open when any of the schedules is open. */
export function uniteSchedules(schedules: readonly WeekSchedule[]): WeekSchedule {
  return WEEKDAYS.map(weekday => merged(schedules.flatMap(schedule => schedule[weekday - 1] ?? [])));
}

/** Open when both schedules are open. */
export function intersectSchedules(a: WeekSchedule, b: WeekSchedule): WeekSchedule {
  if (a === ALWAYS) return b;
  if (b === ALWAYS) return a;
  return WEEKDAYS.map(weekday => overlaps(a[weekday - 1] ?? [], b[weekday - 1] ?? []));
}

export function isAlways(schedule: WeekSchedule): boolean {
  return schedule === ALWAYS || schedule.every(ranges => ranges[0]?.start === 0 && ranges[0].end === MINUTES_PER_DAY);
}

export function isNever(schedule: WeekSchedule): boolean {
  return schedule.every(ranges => ranges.length === 0);
}

/** Whether the schedule is open at that weekday (1..7) and minute. */
export function isOpenAt(schedule: WeekSchedule, weekday: number, minute: number): boolean {
  return (schedule[weekday - 1] ?? []).some(range => minute >= range.start && minute < range.end);
}

/** The first minute after `minute` of that weekday at which the schedule may change; at the latest midnight (1440). */
export function nextEdge(schedule: WeekSchedule, weekday: number, minute: number): number {
  for (const range of schedule[weekday - 1] ?? []) {
    if (range.start > minute) return range.start;
    if (range.end > minute) return range.end;
  }
  return MINUTES_PER_DAY;
}

function merged(ranges: readonly MinuteRange[]): MinuteRange[] {
  const result: MinuteRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else result.push({ ...range });
  }
  return result;
}

function overlaps(a: readonly MinuteRange[], b: readonly MinuteRange[]): MinuteRange[] {
  return a
    .flatMap(x => b.map(y => ({ start: Math.max(x.start, y.start), end: Math.min(x.end, y.end) })))
    .filter(range => range.start < range.end);
}

/** How far ahead the next opening or closing is searched; decisions are repeated much more often than this. */
export const OPENING_HORIZON_MS = 400 * MS_PER_DAY;

/** Opening hours in the wall-clock time of the business time zone. */
export interface OpenHours {
  schedule: WeekSchedule;
  /** Whether a whole local day (day number) is closed; null when no days are excluded. */
  blocksDay: ((day: number) => boolean) | null;
}

interface Opening {
  open: boolean;
  /** UTC instant at which it closes; null when closed, or open without an end. Never later than the true end. */
  closesAt: number | null;
  /** UTC instant of the next opening; null when open, or when there is none within the horizon. */
  nextOpenAt: number | null;
}

/**
 * Whether the hours are open at `at`, and when that changes.
 *
 * Why: wall-clock time decides, so an hour that a clock change repeats is open twice and one that it skips not at all
 */
export function openingAt(hours: OpenHours, zone: string, at: number): Opening {
  const open = isOpen(hours, zone, at);
  if (!open && isNever(hours.schedule)) return { open, closesAt: null, nextOpenAt: null };
  if (open && hours.blocksDay === null && isAlways(hours.schedule)) return { open, closesAt: null, nextOpenAt: null };
  const horizon = at + OPENING_HORIZON_MS;
  let changesAt = nextCandidate(hours, zone, at);
  while (changesAt < horizon && isOpen(hours, zone, changesAt) === open) changesAt = nextCandidate(hours, zone, changesAt);
  if (open) return { open, closesAt: Math.min(changesAt, horizon), nextOpenAt: null };
  return { open, closesAt: null, nextOpenAt: changesAt < horizon ? changesAt : null };
}

/** The first instant from `at` on at which the hours are open; null when there is none within the horizon. */
export function firstOpenAt(hours: OpenHours, zone: string, at: number): number | null {
  const opening = openingAt(hours, zone, at);
  return opening.open ? at : opening.nextOpenAt;
}

/** An open period: UTC ms, [from, until). */
export interface OpenSpan {
  from: number;
  until: number;
}

/** The open periods within [from, until), in order; `until` must lie within the horizon of `from`. */
export function openSpans(hours: OpenHours, zone: string, from: number, until: number): OpenSpan[] {
  const spans: OpenSpan[] = [];
  let at: number | null = from;
  while (at !== null && at < until) {
    const { open, closesAt, nextOpenAt }: Opening = openingAt(hours, zone, at);
    if (!open) at = nextOpenAt;
    else {
      const end = Math.min(closesAt ?? until, until);
      spans.push({ from: at, until: end });
      at = end;
    }
  }
  return spans;
}

function isOpen(hours: OpenHours, zone: string, at: number): boolean {
  const local = localTimeAt(zone, at);
  return isOpenAt(hours.schedule, local.weekday, local.minute) && hours.blocksDay?.(local.day) !== true;
}

/** The earliest instant at which the state can change: a schedule boundary, midnight or a clock change. */
function nextCandidate(hours: OpenHours, zone: string, at: number): number {
  const { day, minute, weekday } = localTimeAt(zone, at);
  const edge = day * MS_PER_DAY + nextEdge(hours.schedule, weekday, minute) * MS_PER_MINUTE - offsetMsAt(zone, at);
  return Math.min(edge, clockChangeAfter(zone, at));
}
