import { businessZone } from './business-zone.ts';
import { instantIn, localIn } from './local-time.ts';

/** First and last day of a preset, each as days after today or as the first or last day of this week or month. */
const DAYS = {
  today: [0, 0],
  yesterday: [-1, -1],
  tomorrow: [1, 1],
  week: [-6, 0],
  month: [-29, 0],
  ahead: [0, 6],
  thisWeek: ['monday', 'sunday'],
  thisMonth: ['first', 0],
} as const;

/** A range that moves on with the days; `all` has no bounds. */
export type Preset = keyof typeof DAYS | 'all';

/** Bounds as the URL and the fields have them: a day `2026-12-01`, a minute of it `2026-12-01T09:00`, or empty for none. */
export interface TypedRange {
  from: string;
  to: string;
}

/** Instants: `from` inclusive, `to` exclusive, null for a missing bound. */
export interface InstantRange {
  from: string | null;
  to: string | null;
}

/** The day `2026-12-01` of an instant in the zone. */
export function dayIn(zone: string, instant: number): string {
  return localIn(zone, instant).slice(0, 10);
}

/** Today's date in the business time zone, `2026-12-01`. */
export function today(): string {
  return dayIn(businessZone(), Date.now());
}

/** The days of a preset, seen from the day `2026-12-01`. */
export function daysOf(preset: Preset, day: string): TypedRange {
  if (preset === 'all') return { from: '', to: '' };
  const [first, last] = DAYS[preset];
  return { from: dayAt(first, day), to: dayAt(last, day) };
}

type DayName = (typeof DAYS)[keyof typeof DAYS][number];

function dayAt(name: DayName, day: string): string {
  if (typeof name === 'number') return addDays(day, name);
  if (name === 'first') return `${day.slice(0, 8)}01`;
  const sinceMonday = (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, (name === 'monday' ? 0 : 6) - sinceMonday);
}

/** The day so many days later, without regard to any clock. */
export function addDays(day: string, by: number): string {
  const at = new Date(`${day}T00:00Z`);
  at.setUTCDate(at.getUTCDate() + by);
  return at.toISOString().slice(0, 10);
}

/** The local time `2026-12-01T09:00` so many months later, without regard to any clock. */
export function addMonths(local: string, by: number): string {
  const at = new Date(`${local}Z`);
  at.setUTCMonth(at.getUTCMonth() + by);
  return at.toISOString().slice(0, 16);
}

/** The days of the week that contains the day, Monday first. */
export function weekOf(day: string): string[] {
  const { from } = daysOf('thisWeek', day);
  return Array.from({ length: 7 }, (_, index) => addDays(from, index));
}

/** The range in the zone: its last day counts to its end, its last minute does not count. Bounds that are no time are missing. */
export function instantsOf({ from, to }: TypedRange, zone: string): InstantRange {
  return { from: instantOf(from, zone), to: instantOf(isDay(to) ? addDays(to, 1) : to, zone) };
}

function instantOf(typed: string, zone: string): string | null {
  const minute = isDay(typed) ? `${typed}T00:00` : typed;
  const at = instantIn(zone, minute);
  return at === null ? null : new Date(at).toISOString();
}

/** Whether the text is a day of the calendar. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00Z`)) && addDays(text, 0) === text;
}
