import { clockChangeAfter, localTimeAt, MINUTES_PER_DAY, MS_PER_DAY, MS_PER_MINUTE, offsetMsAt, weekdayOf } from '#kernel/calendar.ts';

/** A half-open range of minutes within a day, 0 ≤ start < end ≤ 1440. */
interface MinuteRange {
  start: number;
  end: number;
}

/**
 * The open hours of a week.
 *
 * Shape: nine lists: Monday to Sunday, then what a make-up day adds to its weekday, and what it adds to the day after. Ranges sorted, not
 *        overlapping or adjacent
 */
export type WeekSchedule = readonly (readonly MinuteRange[])[];

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const WORKDAYS = [1, 2, 3, 4, 5];
const MAKE_UP_DAY = 8;
const AFTER_MAKE_UP_DAY = 9;
const LISTS = [...WEEKDAYS, MAKE_UP_DAY, AFTER_MAKE_UP_DAY];
const WHOLE_DAY: readonly MinuteRange[] = [{ start: 0, end: MINUTES_PER_DAY }];

export const ALWAYS: WeekSchedule = LISTS.map(list => (list < MAKE_UP_DAY ? WHOLE_DAY : []));
export const NEVER: WeekSchedule = LISTS.map(() => []);

/** The window [start, end) on every day; `start` > `end` crosses midnight. */
export function dailySchedule(start: number, end: number): WeekSchedule {
  return weeklySchedule(WEEKDAYS, start, end);
}

/**
 * The window [start, end) on the given weekdays; a window that crosses midnight belongs to the day on which it starts.
 *
 * Why:   a window of all workdays also opens on a day of the weekend that is worked instead of a holiday
 * Units: weekdays 1 = Monday … 7 = Sunday; minutes of the day, start ≠ end
 */
export function weeklySchedule(weekdays: readonly number[], start: number, end: number): WeekSchedule {
  const week: MinuteRange[][] = LISTS.map(() => []);
  const add = (day: number, dayAfter: number) => {
    if (start < end) week[day - 1]?.push({ start, end });
    else {
      week[day - 1]?.push({ start, end: MINUTES_PER_DAY });
      if (end > 0) week[dayAfter - 1]?.push({ start: 0, end });
    }
  };
  for (const weekday of weekdays) add(weekday, (weekday % WEEKDAYS.length) + 1);
  if (WORKDAYS.every(day => weekdays.includes(day))) add(MAKE_UP_DAY, AFTER_MAKE_UP_DAY);
  return week.map(merged);
}

/** Open when any of the schedules is open. */
export function uniteSchedules(schedules: readonly WeekSchedule[]): WeekSchedule {
  return LISTS.map(list => merged(schedules.flatMap(schedule => schedule[list - 1] ?? [])));
}

/** Open when both schedules are open on a day that is not made up; make-up days need `jointSchedules`. */
export function intersectSchedules(a: WeekSchedule, b: WeekSchedule): WeekSchedule {
  if (a === ALWAYS) return b;
  if (b === ALWAYS) return a;
  return LISTS.map(list => (list < MAKE_UP_DAY ? overlaps(a[list - 1] ?? [], b[list - 1] ?? []) : []));
}

export function isAlways(schedule: WeekSchedule): boolean {
  return (
    schedule === ALWAYS ||
    WEEKDAYS.every(weekday => schedule[weekday - 1]?.some(({ start, end }) => start === 0 && end === MINUTES_PER_DAY))
  );
}

export function isNever(schedule: WeekSchedule): boolean {
  return schedule.every(ranges => ranges.length === 0);
}

/** A schedule with the make-up days (day numbers) that it heeds; null when there are none. */
export interface DatedSchedule {
  schedule: WeekSchedule;
  isMakeUpDay: ((day: number) => boolean) | null;
}

/** Schedules that must all be open, as few as possible: those that no make-up day changes are joined. */
export function jointSchedules(schedules: readonly DatedSchedule[]): DatedSchedule[] {
  const isDated = ({ schedule, isMakeUpDay }: DatedSchedule) => isMakeUpDay !== null && (schedule[MAKE_UP_DAY - 1] ?? []).length > 0;
  const dated = schedules.filter(isDated);
  const plain = schedules.filter(each => !isDated(each)).reduce((joint, { schedule }) => intersectSchedules(joint, schedule), ALWAYS);
  return plain === ALWAYS && dated.length > 0 ? dated : [{ schedule: plain, isMakeUpDay: null }, ...dated];
}

/** The open ranges of a local day. */
export function hoursOn({ schedule, isMakeUpDay }: DatedSchedule, day: number): readonly MinuteRange[] {
  const own = schedule[weekdayOf(day) - 1] ?? [];
  if (isMakeUpDay === null) return own;
  const added = [
    ...(isMakeUpDay(day) ? (schedule[MAKE_UP_DAY - 1] ?? []) : []),
    ...(isMakeUpDay(day - 1) ? (schedule[AFTER_MAKE_UP_DAY - 1] ?? []) : []),
  ];
  return added.length === 0 ? own : merged([...own, ...added]);
}

/** Whether the schedule is open at that minute of a local day. */
export function isOpenAt(dated: DatedSchedule, day: number, minute: number): boolean {
  return hoursOn(dated, day).some(range => minute >= range.start && minute < range.end);
}

/** The first minute after `minute` of a local day at which the schedule may change; at the latest midnight (1440). */
export function nextEdge(dated: DatedSchedule, day: number, minute: number): number {
  for (const range of hoursOn(dated, day)) {
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

/** Opening hours in the wall-clock time of a time zone. */
export interface OpenHours {
  /** Open when all of them are; not empty. */
  schedules: readonly DatedSchedule[];
  /** Whether a whole local day (day number) is closed; null when no days are excluded. */
  blocksDay: ((day: number) => boolean) | null;
}

/** IANA time zones in which a person may be: the hours count as open only when they are open in each of them. Not empty. */
export type Zones = readonly string[];

interface Opening {
  open: boolean;
  /** UTC instant at which it closes; null when closed, or open without an end. Never later than the true end. */
  closesAt: number | null;
  /** UTC instant of the next opening; null when open, or when there is none within the horizon. */
  nextOpenAt: number | null;
}

const CLOSED: Opening = { open: false, closesAt: null, nextOpenAt: null };

/**
 * Whether the hours are open at `at` in all zones, and when that changes.
 *
 * Why: wall-clock time decides, so an hour that a clock change repeats is open twice and one that it skips not at all
 */
export function openingAt(hours: OpenHours, zones: Zones, at: number): Opening {
  if (zones.every(zone => isOpen(hours, zone, at))) return { open: true, closesAt: closingAt(hours, zones, at), nextOpenAt: null };
  if (hours.schedules.some(({ schedule }) => isNever(schedule))) return CLOSED;
  const horizon = at + OPENING_HORIZON_MS;
  let opensAt: number | null = at;
  // Each round leads to the first instant at which the zone that opens last is open; then the others are asked again.
  for (let from = -Infinity; opensAt !== null && from < opensAt; ) {
    from = opensAt;
    for (const zone of zones) opensAt = opensAt === null ? null : firstOpenIn(hours, zone, { from: opensAt, horizon });
  }
  return { ...CLOSED, nextOpenAt: opensAt };
}

/** The first instant from `from` on at which the hours are open in this zone; null when it is not before the horizon. */
function firstOpenIn(hours: OpenHours, zone: string, { from, horizon }: { from: number; horizon: number }): number | null {
  let at = from;
  while (at < horizon && !isOpen(hours, zone, at)) at = nextCandidate(hours, zone, at);
  return at < horizon ? at : null;
}

/** The hours must be open in all zones at `at`. */
function closingAt(hours: OpenHours, zones: Zones, at: number): number | null {
  if (hours.blocksDay === null && hours.schedules.every(({ schedule }) => isAlways(schedule))) return null;
  const horizon = at + OPENING_HORIZON_MS;
  return zones.reduce((closesAt, zone) => {
    let changesAt = nextCandidate(hours, zone, at);
    while (changesAt < closesAt && isOpen(hours, zone, changesAt)) changesAt = nextCandidate(hours, zone, changesAt);
    return Math.min(changesAt, closesAt);
  }, horizon);
}

/** The first instant from `at` on at which the hours are open; null when there is none within the horizon. */
export function firstOpenAt(hours: OpenHours, zones: Zones, at: number): number | null {
  const opening = openingAt(hours, zones, at);
  return opening.open ? at : opening.nextOpenAt;
}

/** An open period: UTC ms, [from, until). */
export interface OpenSpan {
  from: number;
  until: number;
}

/** The open periods within [from, until), in order; `until` must lie within the horizon of `from`. */
export function openSpans(hours: OpenHours, zones: Zones, from: number, until: number): OpenSpan[] {
  const spans: OpenSpan[] = [];
  let at: number | null = from;
  while (at !== null && at < until) {
    const { open, closesAt, nextOpenAt }: Opening = openingAt(hours, zones, at);
    if (!open) at = nextOpenAt;
    else {
      const end = Math.min(closesAt ?? until, until);
      spans.push({ from: at, until: end });
      at = end;
    }
  }
  return spans;
}

function isOpen({ schedules, blocksDay }: OpenHours, zone: string, at: number): boolean {
  const { day, minute } = localTimeAt(zone, at);
  return schedules.every(schedule => isOpenAt(schedule, day, minute)) && blocksDay?.(day) !== true;
}

/** The earliest instant at which the state can change: a schedule boundary, midnight or a clock change. */
function nextCandidate({ schedules }: OpenHours, zone: string, at: number): number {
  const { day, minute } = localTimeAt(zone, at);
  const edge = Math.min(...schedules.map(schedule => nextEdge(schedule, day, minute)));
  return Math.min(day * MS_PER_DAY + edge * MS_PER_MINUTE - offsetMsAt(zone, at), clockChangeAfter(zone, at));
}
