import { problem } from '#kernel/problem.ts';
import { monthDayOf, parseDate, parseEndOfWindow, parseMonthDay, parseTimeOfDay } from '#kernel/calendar.ts';
import {
  type ClosedDays,
  type ConfigMembers,
  fault,
  MAX_DATES,
  type PolicyKind,
  type Read,
  readList,
  readOptionalList,
  textItem,
} from './policy-kind.ts';
import { dailySchedule, weeklySchedule } from './week-schedule.ts';

const DATE_ITEMS = { parse: textItem(parseDate), expected: problem('date'), maxItems: MAX_DATES };

/** `start` and `end` as minutes of the day. */
function readHours(config: ConfigMembers): Read<{ start: number; end: number }> {
  const start = typeof config['start'] === 'string' ? parseTimeOfDay(config['start']) : null;
  if (start === null) return fault('start', problem('timeOfDay'));
  const end = typeof config['end'] === 'string' ? parseEndOfWindow(config['end']) : null;
  if (end === null) return fault('end', problem('endOfWindow'));
  if (start === end) return fault('end', problem('sameAs', { other: 'start' }));
  return { ok: true, value: { start, end } };
}

const MAX_REGION_LENGTH = 64;
const MONTH_DAY_ITEMS = { parse: textItem(parseMonthDay), expected: problem('monthDay'), maxItems: MAX_DATES };

function isRegion(region: unknown): boolean {
  return typeof region === 'string' && region.length <= MAX_REGION_LENGTH;
}

function holidays(dates: number[], recurring: number[], workdays: ReadonlySet<number>): ClosedDays {
  const days = new Set(dates);
  const monthDays = new Set(recurring);
  const blocksDay = (day: number) => !workdays.has(day) && (days.has(day) || (monthDays.size > 0 && monthDays.has(monthDayOf(day))));
  return workdays.size === 0 ? { blocksDay } : { blocksDay, isMakeUpDay: day => workdays.has(day) };
}

const DAY_ITEMS = { parse: weekday, expected: problem('weekday'), maxItems: 8 };

/** ISO weekday, 1 = Monday … 7 = Sunday; 0 is accepted as Sunday. */
function weekday(item: unknown): number | null {
  if (item === 0) return 7;
  return typeof item === 'number' && Number.isInteger(item) && item >= 1 && item <= 7 ? item : null;
}

/** Policy types of dates and hours. */
export const DATE_KINDS = {
  /** No dialling on the listed local dates. Source: OCS 4.9 */
  blocked_dates: {
    action: 'block',
    settings: 'BlockedDatesSettings',
    read(config) {
      const dates = readList(config, 'dates', DATE_ITEMS);
      if (!dates.ok) return dates;
      const days = new Set(dates.value);
      return { ok: true, value: { kind: 'dates', blocksDay: day => days.has(day) } };
    },
  },
  /**
   * No dialling on holidays, given by date or as month and day of every year; a make-up workday overrides both, and opens windows of all workdays.
   *
   * Source: OCS 4.9, D8.1
   */
  holiday_blocklist: {
    action: 'block',
    settings: 'HolidaySettings',
    read(config) {
      const { region } = config;
      if (region !== undefined && region !== null && !isRegion(region))
        return fault('region', problem('textUpTo', { max: MAX_REGION_LENGTH }));
      if (!Array.isArray(config['dates']) && !Array.isArray(config['recurringDates']))
        return fault('dates', problem('missingTogether', { other: 'recurringDates' }));
      const dates = readOptionalList(config, 'dates', DATE_ITEMS);
      if (!dates.ok) return dates;
      const recurring = readOptionalList(config, 'recurringDates', MONTH_DAY_ITEMS);
      if (!recurring.ok) return recurring;
      const overrides = readOptionalList(config, 'workdayOverrides', DATE_ITEMS);
      if (!overrides.ok) return overrides;
      return { ok: true, value: { kind: 'dates', ...holidays(dates.value, recurring.value, new Set(overrides.value)) } };
    },
  },
  /** Allows dialling only within [start, end) of each local day; may cross midnight. Source: OCS 4.9, D8.1 */
  daily_window: {
    action: 'allow_window',
    settings: 'DailyWindowSettings',
    read(config) {
      const hours = readHours(config);
      if (!hours.ok) return hours;
      return { ok: true, value: { kind: 'window', schedule: dailySchedule(hours.value.start, hours.value.end) } };
    },
  },
  /**
   * Allows dialling only on the listed weekdays within [start, end); a window that crosses midnight belongs to the day on which it starts.
   *
   * Source: OCS 4.9, D8.1
   */
  weekly_window: {
    action: 'allow_window',
    settings: 'WeeklyWindowSettings',
    read(config) {
      const days = readList(config, 'days', DAY_ITEMS);
      if (!days.ok) return days;
      if (days.value.length === 0) return fault('days', problem('empty'));
      const hours = readHours(config);
      if (!hours.ok) return hours;
      return {
        ok: true,
        value: { kind: 'window', schedule: weeklySchedule([...new Set(days.value)], hours.value.start, hours.value.end) },
      };
    },
  },
} as const satisfies Record<string, PolicyKind>;
