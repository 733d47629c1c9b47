import { MINUTES_PER_DAY } from '#kernel/calendar.ts';

/** A half-open range of minutes within a day, 0 ≤ start < end ≤ 1440. */
export interface MinuteRange {
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
