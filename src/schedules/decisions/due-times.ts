import { Cron, CronPattern } from 'croner';
import { MS_PER_MINUTE } from '#kernel/calendar.ts';

/** Times by cron in a time zone. */
export interface When {
  cron: string;
  timeZone: string;
}

/** Shortest time between two runs, in minutes. */
export const MIN_MINUTES_BETWEEN = 5;
/** Due times that are counted one by one. */
export const MAX_MISSED = 500;
/** A due time that is older has been missed: a server that runs looks every few seconds. */
const LATE_MS = 2 * MS_PER_MINUTE;
const MINUTES_PER_DAY = 1_440;

const MODE = { mode: '5-part' } as const;

/**
 * Times of a schedule: a fixed time of day that a clock change skips comes at the first minute after it, and one that comes twice counts
 * once; times that repeat within an hour follow the clock.
 */
function timesOf({ cron, timeZone }: When): Cron {
  return new Cron(cron, { ...MODE, paused: true, timezone: timeZone, fixedTimeRule: 'no-wildcard' });
}

/** The fault of an expression: it cannot be read, never comes, or comes too often; null when there is none. */
export function cronFault(when: When, now: number): 'cron' | 'cronNever' | 'cronTooOften' | null {
  try {
    if (minutesBetween(when.cron) < MIN_MINUTES_BETWEEN) return 'cronTooOften';
    return nextRunAt(when, now) === null ? 'cronNever' : null;
  } catch {
    return 'cron';
  }
}

/** The shortest time between two times of day, the last of one day and the first of the next among them. */
function minutesBetween(cron: string): number {
  const { hour, minute } = new CronPattern(cron, undefined, MODE);
  const times = placesOf(hour).flatMap(h => placesOf(minute).map(m => h * 60 + m));
  const [first = 0] = times;
  return Math.min(...[...times.slice(1), first + MINUTES_PER_DAY].map((time, place) => time - (times[place] ?? 0)));
}

function placesOf(marks: readonly number[]): number[] {
  return marks.flatMap((mark, place) => (mark === 0 ? [] : [place]));
}

/** The first time after an instant; null when there is none any more. Units: UTC ms */
export function nextRunAt(when: When, after: number): number | null {
  return nextRuns(when, after, 1)[0] ?? null;
}

/** The next times after an instant. Units: UTC ms */
export function nextRuns(when: When, after: number, count: number): number[] {
  return timesOf(when)
    .nextRuns(count, new Date(after))
    .map(at => at.getTime());
}

/** A run that stands for all times that have passed since the last one. */
export interface DueRun {
  /** The latest time that has passed. */
  dueAt: number;
  /** Times that no server was there for, counted up to `MAX_MISSED`. */
  missed: number;
}

/**
 * One run for the due time `since` and all that have passed after it.
 *
 * Why: a server that was away for a week sends one report, not seven, and says how many are missing
 */
export function dueRun(when: When, since: number, now: number): DueRun {
  const passed = passedTimes(when, since, now);
  const missed = passed.filter(at => now - at > LATE_MS).length;
  return { dueAt: passed.length < MAX_MISSED ? (passed.at(-1) ?? since) : latest(when, now), missed };
}

function passedTimes(when: When, since: number, now: number): number[] {
  const times = timesOf(when);
  const passed = [since];
  for (let next = times.nextRun(new Date(since)); next !== null && next.getTime() <= now; next = times.nextRun(next)) {
    passed.push(next.getTime());
    if (passed.length === MAX_MISSED) break;
  }
  return passed;
}

function latest(when: When, now: number): number {
  return (
    timesOf(when)
      .previousRuns(1, new Date(now + 1))[0]
      ?.getTime() ?? now
  );
}
