import { monthDayOf, parseMonthDay } from '#kernel/calendar.ts';
import { DATE_ITEMS } from './blocked-dates.ts';
import { fault, MAX_DATES, readOptionalList, textItem } from './config-members.ts';
import type { PolicyKind } from './policy.ts';

const MAX_REGION_LENGTH = 64;
const MONTH_DAY_ITEMS = { parse: textItem(parseMonthDay), expected: ' MM-DD 格式的有效月日', maxItems: MAX_DATES };

/**
 * No dialling on holidays, given by date or as month and day of every year; a make-up workday overrides both.
 *
 * Source: OCS 4.9, D8.1
 */
export const holidayBlocklist: PolicyKind = {
  action: 'block',
  label: '节假日禁呼',
  read(config) {
    const { region } = config;
    if (region !== undefined && region !== null && !isRegion(region))
      return fault('region', `必须是不超过 ${MAX_REGION_LENGTH} 个字符的字符串`);
    if (!Array.isArray(config['dates']) && !Array.isArray(config['recurringDates']))
      return fault('dates', '与 recurringDates 不能同时缺少');
    const dates = readOptionalList(config, 'dates', DATE_ITEMS);
    if (!dates.ok) return dates;
    const recurring = readOptionalList(config, 'recurringDates', MONTH_DAY_ITEMS);
    if (!recurring.ok) return recurring;
    const overrides = readOptionalList(config, 'workdayOverrides', DATE_ITEMS);
    if (!overrides.ok) return overrides;
    return { ok: true, value: { kind: 'dates', blocksDay: holidays(dates.value, recurring.value, overrides.value) } };
  },
};

function isRegion(region: unknown): boolean {
  return typeof region === 'string' && region.length <= MAX_REGION_LENGTH;
}

function holidays(dates: number[], recurring: number[], overrides: number[]): (day: number) => boolean {
  const days = new Set(dates);
  const monthDays = new Set(recurring);
  const workdays = new Set(overrides);
  return day => !workdays.has(day) && (days.has(day) || (monthDays.size > 0 && monthDays.has(monthDayOf(day))));
}
