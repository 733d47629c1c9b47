import { parseEndOfWindow, parseTimeOfDay } from '#kernel/calendar.ts';
import { dailySchedule } from './week-schedule.ts';
import { fault } from './config-members.ts';
import type { ConfigMembers, PolicyKind, Read } from './policy.ts';

/** Allows dialling only within [start, end) of each local day; may cross midnight. Source: OCS 4.9, D8.1 */
export const dailyWindow: PolicyKind = {
  action: 'allow_window',
  label: '每日时段',
  read(config) {
    const hours = readHours(config);
    if (!hours.ok) return hours;
    return { ok: true, value: { kind: 'window', schedule: dailySchedule(hours.value.start, hours.value.end) } };
  },
};

/** `start` and `end` as minutes of the day. */
export function readHours(config: ConfigMembers): Read<{ start: number; end: number }> {
  const start = typeof config['start'] === 'string' ? parseTimeOfDay(config['start']) : null;
  if (start === null) return fault('start', '必须是 HH:mm 格式的时间');
  const end = typeof config['end'] === 'string' ? parseEndOfWindow(config['end']) : null;
  if (end === null) return fault('end', '必须是 HH:mm 格式的时间，可为 24:00');
  if (start === end) return fault('end', '不能与 start 相同');
  return { ok: true, value: { start, end } };
}
