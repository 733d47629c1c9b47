import { parseDate } from '#kernel/calendar.ts';
import { MAX_DATES, readList, textItem } from './config-members.ts';
import type { PolicyKind } from './policy.ts';

export const DATE_ITEMS = { parse: textItem(parseDate), expected: ' YYYY-MM-DD 格式的有效日期', maxItems: MAX_DATES };

/** No dialling on the listed local dates. Source: OCS 4.9 */
export const blockedDates: PolicyKind = {
  action: 'block',
  label: '禁呼日期',
  read(config) {
    const dates = readList(config, 'dates', DATE_ITEMS);
    if (!dates.ok) return dates;
    const days = new Set(dates.value);
    return { ok: true, value: { kind: 'dates', blocksDay: day => days.has(day) } };
  },
};
