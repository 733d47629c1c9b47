import { clockChangeAfter, localTimeAt, MS_PER_DAY, MS_PER_MINUTE, offsetMsAt } from '#kernel/calendar.ts';
import { isAlways, isNever, isOpenAt, nextEdge } from './week-schedule.ts';
import type { WeekSchedule } from './week-schedule.ts';

/** How far ahead the next opening or closing is searched; decisions are repeated much more often than this. */
export const OPENING_HORIZON_MS = 400 * MS_PER_DAY;

/** Opening hours in the wall-clock time of the business time zone. */
export interface OpenHours {
  schedule: WeekSchedule;
  /** Whether a whole local day (day number) is closed; null when no days are excluded. */
  blocksDay: ((day: number) => boolean) | null;
}

export interface Opening {
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
