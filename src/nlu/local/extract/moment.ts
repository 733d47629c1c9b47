import { type Day, isoDate, isoDateTime, isoTime, wallClock, addDays } from './calendar.ts';
import type { FoundDate } from './dates.ts';
import { type Span, standing } from './spoken-text.ts';
import { type FoundTime, findDelays } from './times.ts';

/** Time of the call, to which `明天` and `过半小时` are relative. */
export interface CallTime {
  /** UTC ms. */
  now: number;
  timeZone: string;
}

/** The day and time on which an utterance settles. */
export interface Moment {
  day: Day | null;
  /** Whether a named day could not be determined, in which case no other day replaces it. */
  isUntoldDay: boolean;
  time: { hour: number; minute: number } | null;
  /** Position in the text. */
  span: Span | null;
}

/** Days and times of day named in an utterance. */
export interface NamedTimes {
  dates: readonly FoundDate[];
  times: readonly FoundTime[];
}

const MS_PER_MINUTE = 60_000;

/** Reads day and time of an utterance; a delay from now gives both. */
export function readMoment({ dates, times }: NamedTimes, text: string, { now, timeZone }: CallTime): Moment {
  const plain = dates.filter(({ isHoliday }) => isHoliday !== true);
  const named = plain.length > 0 ? plain : dates;
  const dated = named.filter(({ day }) => day !== null);
  const date = settled(dated.length > 0 ? dated : named, text);
  const time = settled(times, text);
  const delay = settled(findDelays(text), text);
  if (delay && !time) {
    const then = wallClock(now + delay.minutes * MS_PER_MINUTE, timeZone);
    return { day: then, isUntoldDay: false, time: then, span: delay };
  }
  return {
    day: dayOf(date, time),
    isUntoldDay: date?.day === null,
    time: time ? { hour: time.hour, minute: time.minute } : null,
    span: cover(date, time),
  };
}

/** Takes the first valid one; what precedes a correction stays valid where the correction names nothing. */
function settled<Candidate extends Span>(candidates: readonly Candidate[], text: string): Candidate | null {
  return standing(candidates, text)[0] ?? null;
}

function dayOf(date: FoundDate | null, time: FoundTime | null): Day | null {
  if (!date?.day) return null;
  return time?.nextDay ? addDays(date.day, 1) : date.day;
}

function cover(date: Span | null, time: Span | null): Span | null {
  if (!date || !time) return date ?? time;
  return { start: Math.min(date.start, time.start), end: Math.max(date.end, time.end) };
}

/** Formats as `2026-03-12`; null when only a time was named. */
export function presentDate({ day }: Moment): string | null {
  return day ? isoDate(day) : null;
}

/** Formats as `15:00`; null without a time of day. */
export function presentTime({ time }: Moment): string | null {
  return time ? isoTime(time.hour, time.minute) : null;
}

/** Formats as `2026-03-12T15:00:00+08:00`; null without a time of day. A time without a day is the next such time. */
export function presentDateTime({ day, isUntoldDay, time }: Moment, { now, timeZone }: CallTime): string | null {
  if (!time || isUntoldDay) return null;
  const wall = wallClock(now, timeZone);
  const passed = time.hour * 60 + time.minute <= wall.hour * 60 + wall.minute;
  const chosen = day ?? (passed ? addDays(wall, 1) : wall);
  return isoDateTime({ year: chosen.year, month: chosen.month, day: chosen.day, hour: time.hour, minute: time.minute }, timeZone);
}
