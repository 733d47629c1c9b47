import { localTimeAt } from '#kernel/calendar.ts';
import {
  firstOpenAt,
  type DatedSchedule,
  isOpenAt,
  jointSchedules,
  type OpenHours,
  uniteSchedules,
  type WeekSchedule,
  weeklySchedule,
  type Zones,
} from '#policies/decisions/week-schedule.ts';
import { keysOf } from '#kernel/typed.ts';

const WORKDAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 7];
const hours = (weekdays: readonly number[], start: number, end: number) => weeklySchedule(weekdays, start * 60, end * 60);

/** Parts of the day in the person's time zone; none of them is at night. The order is that of the bits in `contact.parts_tried`. */
const SCHEDULES = {
  morning: hours(WORKDAYS, 6, 12),
  noon: hours(WORKDAYS, 12, 14),
  afternoon: hours(WORKDAYS, 14, 18),
  evening: hours(WORKDAYS, 18, 24),
  weekend: hours(WEEKEND, 6, 24),
} as const;

export type PartOfDay = keyof typeof SCHEDULES;

export const PARTS_OF_DAY = keysOf(SCHEDULES);

/** Its hours, local time. */
export function scheduleOf(part: PartOfDay): WeekSchedule {
  return SCHEDULES[part];
}

/** The part in which an instant lies; null at night. */
export function partOfDayAt(zone: string, at: number): PartOfDay | null {
  const { day, minute } = localTimeAt(zone, at);
  return PARTS_OF_DAY.find(part => isOpenAt(plain(SCHEDULES[part]), day, minute)) ?? null;
}

/**
 * The parts tried, with those of the instant added; a bit mask.
 *
 * Why: where a person may be in several zones, the instant counts in each of them, so that no part is tried twice wherever the person is
 */
export function withPartsOf(tried: number, zones: Zones, at: number): number {
  return zones.reduce((mask, zone) => {
    const part = partOfDayAt(zone, at);
    return part === null ? mask : mask | bitOf(part);
  }, tried);
}

/** The parts of a list that are not tried yet. */
export function untriedParts(parts: readonly PartOfDay[], tried: number): PartOfDay[] {
  return parts.filter(part => (tried & bitOf(part)) === 0);
}

/**
 * First instant from `from` on that lies in one of the parts and in the open hours in each of the zones; null when there is none within the
 * horizon.
 */
export function nextInParts(parts: readonly PartOfDay[], open: OpenHours, zones: Zones, from: number): number | null {
  if (parts.length === 0) return null;
  const wanted = plain(uniteSchedules(parts.map(part => SCHEDULES[part])));
  return firstOpenAt({ schedules: jointSchedules([wanted, ...open.schedules]), blocksDay: open.blocksDay }, zones, from);
}

function plain(schedule: WeekSchedule): DatedSchedule {
  return { schedule, isMakeUpDay: null };
}

function bitOf(part: PartOfDay): number {
  return 1 << PARTS_OF_DAY.indexOf(part);
}
