import { assert } from './assert.ts';

/**
 * Conversion between instants and wall-clock time in the business time zone. A local date is a day number (days since 1970-01-01) and a
 * local time is the minute of that day, so that windows and holidays are integer arithmetic.
 *
 * Why: the offset is looked up once per period between two clock changes; everything else is a division
 */
export const MS_PER_MINUTE = 60_000;
export const MS_PER_DAY = 86_400_000;
export const MINUTES_PER_DAY = 1_440;

/** All zones that exist: contacts of one campaign may be in any of them. */
const MAX_CACHED_ZONES = 600;
const MAX_CACHED_STRETCHES = 64;

export interface LocalTime {
  /** Days since 1970-01-01. */
  day: number;
  /** 0..1439. */
  minute: number;
  /** 1 = Monday … 7 = Sunday. */
  weekday: number;
}

/** A period with a constant offset: [from, until), UTC ms; ±Infinity for zones without clock changes. */
interface Stretch {
  from: number;
  until: number;
  offsetMs: number;
}

const stretchesByZone = new Map<string, Stretch[]>();

/**
 * The wall-clock time in `zone` at the instant `at`.
 *
 * Units:  at UTC ms
 * Errors: RangeError when the zone is unknown or the instant is not finite
 */
export function localTimeAt(zone: string, at: number): LocalTime {
  const local = at + stretchAt(zone, at).offsetMs;
  const day = Math.floor(local / MS_PER_DAY);
  return { day, minute: Math.floor((local - day * MS_PER_DAY) / MS_PER_MINUTE), weekday: weekdayOf(day) };
}

/** The first clock change after `at`; Infinity when the zone has none. */
export function clockChangeAfter(zone: string, at: number): number {
  return stretchAt(zone, at).until;
}

/** Offset of the zone at `at`, in ms to add to UTC. */
export function offsetMsAt(zone: string, at: number): number {
  return stretchAt(zone, at).offsetMs;
}

/** The first instant of a local day; not midnight where a clock change skips it. */
export function startOfDay(zone: string, day: number): number {
  return Temporal.PlainDate.from(dateText(day)).toZonedDateTime(zone).epochMilliseconds;
}

/** The instant of a minute of a local day; one that a clock change skips comes as much later. */
export function instantAt(zone: string, day: number, minute: number): number {
  return Temporal.PlainDate.from(dateText(day)).toZonedDateTime({
    timeZone: zone,
    plainTime: Temporal.PlainTime.from({ hour: Math.floor(minute / 60), minute: minute % 60 }),
  }).epochMilliseconds;
}

/** ISO weekday: 1 = Monday … 7 = Sunday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** ISO date, such as `2026-02-17`. */
export function dateText(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Day of the year as month × 100 + day of month. */
export function monthDayOf(day: number): number {
  const date = new Date(day * MS_PER_DAY);
  return (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

/** Parses `YYYY-MM-DD` to a day number; null when the date does not exist. */
export function parseDate(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms)) return null;
  const day = ms / MS_PER_DAY;
  return dateText(day) === text ? day : null;
}

/** Parses `MM-DD` to month × 100 + day, else null; 02-29 is accepted. */
export function parseMonthDay(text: string): number | null {
  const day = /^\d{2}-\d{2}$/.test(text) ? parseDate(`2000-${text}`) : null;
  return day === null ? null : monthDayOf(day);
}

/** Parses `HH:mm` (00:00..23:59) to the minute of the day, else null. */
export function parseTimeOfDay(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

/** Like `parseTimeOfDay`, but also accepts `24:00` as the end of a day, so that a whole day is `00:00` to `24:00`. Source: D5.3, D8.1 */
export function parseEndOfWindow(text: string): number | null {
  return text === '24:00' ? MINUTES_PER_DAY : parseTimeOfDay(text);
}

/** Formats a minute of the day as `09:30`; 1440 becomes `24:00`. */
export function timeOfDayText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** Whether `zone` is a known IANA time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    // RangeError: unknown zone.
    return false;
  }
}

function stretchAt(zone: string, at: number): Stretch {
  const known = stretchesByZone.get(zone);
  const hit = known?.find(stretch => at >= stretch.from && at < stretch.until);
  return hit ?? remember(zone, known ?? [], readStretch(zone, at));
}

function remember(zone: string, known: Stretch[], stretch: Stretch): Stretch {
  if (stretchesByZone.size >= MAX_CACHED_ZONES && !stretchesByZone.has(zone)) stretchesByZone.clear();
  stretchesByZone.set(zone, [stretch, ...known].slice(0, MAX_CACHED_STRETCHES));
  return stretch;
}

function readStretch(zone: string, at: number): Stretch {
  const now = Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone);
  const previous = now.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const next = now.getTimeZoneTransition('next');
  const from = previous?.epochMilliseconds ?? -Infinity;
  const until = next?.epochMilliseconds ?? Infinity;
  assert(from <= at && at < until, `${zone} has an offset at ${at}`);
  return { from, until, offsetMs: now.offsetNanoseconds / 1_000_000 };
}
