import { parseEndOfWindow, parseTimeOfDay } from '#kernel/calendar.ts';
import { ALWAYS, dailySchedule, firstOpenAt, NEVER, type OpenHours, openingAt, type WeekSchedule, type Zones } from './week-schedule.ts';

/** The calling hours of one campaign. Source: OCS 2.6, D5.3 */
export interface CallingWindow {
  /** `HH:mm`, local time; set if and only if `workdayEnd` is. */
  workdayStart: string | null;
  /** `HH:mm` or `24:00`, local time, exclusive; earlier than `workdayStart` means the next day. */
  workdayEnd: string | null;
  /** UTC ms, inclusive. */
  scheduledStartAt: number | null;
  /** UTC ms, exclusive. */
  scheduledEndAt: number | null;
}

/** A parsed window: [startsAt, endsAt), ±Infinity when unbounded, and the daily hours. */
export interface PreparedWindow {
  isValid: boolean;
  schedule: WeekSchedule;
  startsAt: number;
  endsAt: number;
}

export interface WindowDecision {
  open: boolean;
  /** UTC instant of the next opening; null when open, or when it never opens again. */
  nextOpenAt: number | null;
  /** UTC instant at which it closes; null when closed, or open without an end. */
  closesAt: number | null;
  /** Null when open. */
  cause: WindowCause | null;
}

/** Why a window is closed, in Chinese. */
export const WINDOW_TEXTS = {
  window_invalid: '活动的时间窗口配置无效',
  schedule_over: '已过计划结束时间',
  schedule_ahead: '未到计划开始时间',
  outside_hours: '不在活动的可呼时段内',
} as const;

export type WindowCause = keyof typeof WINDOW_TEXTS;

/**
 * Whether a campaign may dial at `at` in all of the zones, and when that changes.
 *
 * Why:    invalid calendar data closes the window, never opens it
 * Source: D5.3
 */
export function decideWindow(window: CallingWindow | PreparedWindow, at: number, zones: Zones): WindowDecision {
  const prepared = 'isValid' in window ? window : prepareWindow(window);
  if (!prepared.isValid) return closed('window_invalid', null);
  if (at >= prepared.endsAt) return closed('schedule_over', null);
  const hours = ownHours(prepared);
  if (at < prepared.startsAt) return closed('schedule_ahead', before(firstOpenAt(hours, zones, prepared.startsAt), prepared.endsAt));
  const opening = openingAt(hours, zones, at);
  if (!opening.open) return closed('outside_hours', before(opening.nextOpenAt, prepared.endsAt));
  const closesAt = Math.min(opening.closesAt ?? Infinity, prepared.endsAt);
  return { open: true, nextOpenAt: null, closesAt: Number.isFinite(closesAt) ? closesAt : null, cause: null };
}

/** The daily hours of the window alone, without its first and last instant. */
export function ownHours({ schedule }: PreparedWindow): OpenHours {
  return { schedules: [{ schedule, isMakeUpDay: null }], blocksDay: null };
}

export function prepareWindow(window: CallingWindow): PreparedWindow {
  const schedule = readSchedule(window);
  const startsAt = window.scheduledStartAt ?? -Infinity;
  const endsAt = window.scheduledEndAt ?? Infinity;
  const isValid = schedule !== null && startsAt < endsAt;
  return isValid ? { isValid, schedule, startsAt, endsAt } : { isValid, schedule: NEVER, startsAt: Infinity, endsAt: -Infinity };
}

function readSchedule({ workdayStart, workdayEnd }: CallingWindow): WeekSchedule | null {
  if (workdayStart === null && workdayEnd === null) return ALWAYS;
  const start = parseTimeOfDay(workdayStart ?? '');
  const end = parseEndOfWindow(workdayEnd ?? '');
  return start === null || end === null || start === end ? null : dailySchedule(start, end);
}

function closed(cause: WindowCause, nextOpenAt: number | null): WindowDecision {
  return { open: false, nextOpenAt, closesAt: null, cause };
}

function before(instant: number | null, end: number): number | null {
  return instant !== null && instant < end ? instant : null;
}
