import { weeklySchedule } from './week-schedule.ts';
import { fault, readList } from './config-members.ts';
import { readHours } from './daily-window.ts';
import type { PolicyKind } from './policy.ts';

const DAY_ITEMS = { parse: weekday, expected: ' 1（周一）到 7（周日）的整数', maxItems: 8 };

/**
 * Allows dialling only on the listed weekdays within [start, end); a window that crosses midnight belongs to the day on which it starts.
 *
 * Source: OCS 4.9, D8.1
 */
export const weeklyWindow: PolicyKind = {
  action: 'allow_window',
  label: '每周时段',
  read(config) {
    const days = readList(config, 'days', DAY_ITEMS);
    if (!days.ok) return days;
    if (days.value.length === 0) return fault('days', '不能为空');
    const hours = readHours(config);
    if (!hours.ok) return hours;
    return { ok: true, value: { kind: 'window', schedule: weeklySchedule([...new Set(days.value)], hours.value.start, hours.value.end) } };
  },
};

/** ISO weekday, 1 = Monday … 7 = Sunday; 0 is accepted as Sunday. */
function weekday(item: unknown): number | null {
  if (item === 0) return 7;
  return typeof item === 'number' && Number.isInteger(item) && item >= 1 && item <= 7 ? item : null;
}
