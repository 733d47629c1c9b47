/** A calendar day. */
export interface Day {
  year: number;
  /** 1..12. */
  month: number;
  day: number;
}

/** Local date and time. */
export interface WallClock extends Day {
  hour: number;
  minute: number;
}

const MS_PER_DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

const MS_PER_MINUTE = 60_000;
const MS_PER_QUARTER = 15 * MS_PER_MINUTE;
/** The last converted minute: many utterances are read within one. */
let shown: { minute: number; timeZone: string; clock: WallClock } | undefined;

/** Converts an instant to local time in a time zone. */
export function wallClock(instant: number, timeZone: string): WallClock {
  const minute = Math.floor(instant / MS_PER_MINUTE);
  if (shown?.minute !== minute || shown.timeZone !== timeZone) shown = { minute, timeZone, clock: formatted(instant, timeZone) };
  return shown.clock;
}

function formatted(instant: number, timeZone: string): WallClock {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') };
}

/** Caches formatters: they are expensive to create, and one time zone is used all the time. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

export function addDays(day: Day, days: number): Day {
  return dayOf(new Date(utc(day) + days * MS_PER_DAY));
}

/** Adds months, limited to the last day of the target month. */
export function addMonths({ year, month, day }: Day, months: number): Day {
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const target = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1 };
  return { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) };
}

/** Days from `one` to `other`; negative when `other` is earlier. */
export function daysBetween(one: Day, other: Day): number {
  return Math.round((utc(other) - utc(one)) / MS_PER_DAY);
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** 1 for Monday to 7 for Sunday. */
export function weekday(day: Day): number {
  return new Date(utc(day)).getUTCDay() || 7;
}

export function isBefore(one: Day, other: Day): boolean {
  return utc(one) < utc(other);
}

/** Whether the day exists in the calendar. */
export function exists({ year, month, day }: Day): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function utc({ year, month, day }: Day): number {
  return Date.UTC(year, month - 1, day);
}

function dayOf(date: Date): Day {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function isoDate({ year, month, day }: Day): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

export function isoTime(hour: number, minute: number): string {
  return `${two(hour)}:${two(minute)}`;
}

/** ISO 8601 with the zone's offset at that time: `2026-03-12T15:00:00+08:00`. */
export function isoDateTime(wall: WallClock, timeZone: string): string {
  const offset = offsetMinutes(wall, timeZone);
  const size = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${isoDate(wall)}T${isoTime(wall.hour, wall.minute)}:00${zone}`;
}

/** Most cached offsets. */
const MAX_OFFSETS = 1_024;
const offsets = new Map<string, number>();

/** Offset from UTC in minutes; it can change only at quarters of an hour. */
function offsetMinutes(wall: WallClock, timeZone: string): number {
  const asUtc = utc(wall) + (wall.hour * 60 + wall.minute) * 60_000;
  const name = `${Math.floor(asUtc / MS_PER_QUARTER)} ${timeZone}`;
  const known = offsets.get(name);
  if (known !== undefined) return known;
  // Clears everything when full: cheaper than tracking use.
  if (offsets.size >= MAX_OFFSETS) offsets.clear();
  const offset = offsetAt(asUtc, timeZone);
  offsets.set(name, offset);
  return offset;
}

function offsetAt(asUtc: number, timeZone: string): number {
  const guess = wallMinutes(asUtc, timeZone) - asUtc / 60_000;
  return wallMinutes(asUtc - guess * 60_000, timeZone) - (asUtc / 60_000 - guess);
}

function wallMinutes(instant: number, timeZone: string): number {
  const clock = formatted(instant, timeZone);
  return (utc(clock) + (clock.hour * 60 + clock.minute) * 60_000) / 60_000;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
