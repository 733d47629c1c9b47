import { browserZone, businessZone } from './business-zone.ts';
import { formatDateTime } from './format.ts';
import { localIn } from './local-time.ts';
import { currentLanguage, i18next } from './text.ts';

/** Date in full and time of day in a time zone. */
export function formatIn(zone: string, instant: string | number): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23', timeZone: zone }).format(
    new Date(instant),
  );
}

/** Time of day in a time zone, with the date when it is not today, and the name of the zone: the parts of `09:00 (China Time)`. */
export function timeIn(zone: string, instant: number, now: number): { at: string; zone: string } {
  const [then, today] = [localIn(zone, instant), localIn(zone, now)];
  const isOfYear = then.slice(0, 4) === today.slice(0, 4);
  const date = { weekday: 'short', month: 'short', day: 'numeric', ...(isOfYear ? {} : { year: 'numeric' }) } as const;
  const day = then.slice(0, 10) === today.slice(0, 10) ? {} : date;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const at = new Intl.DateTimeFormat(currentLanguage(), { ...day, ...time, timeZone: zone }).format(instant);
  return { at, zone: zoneName(zone, instant) };
}

/** A day of the calendar in words, without its year: it belongs to no time zone. */
export function dayName(day: string): string {
  const parts = { weekday: 'short', month: 'numeric', day: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(currentLanguage(), parts).format(new Date(`${day}T00:00Z`));
}

/** Name of a month, from 1. */
export function monthName(month: number): string {
  return new Intl.DateTimeFormat(currentLanguage(), { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 1));
}

/** A Monday; the names of the weekdays derive from it. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** Name of a weekday, Monday is 1: `Mon`, or `M` where there is little room. */
export function weekdayName(weekday: number, style: 'short' | 'narrow' = 'short'): string {
  return new Intl.DateTimeFormat(currentLanguage(), { weekday: style, timeZone: 'UTC' }).format(MONDAY + (weekday - 1) * DAY_MS);
}

/** Beginning of a day or an hour of the trend, in the business time zone. */
export function formatBeginning(instant: string | number, unit: 'day' | 'hour', hasMonth = unit === 'day'): string {
  const month = { month: '2-digit' } as const;
  const hour = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const parts = { ...(hasMonth ? month : {}), day: '2-digit', ...(unit === 'hour' ? hour : {}) } as const;
  return new Intl.DateTimeFormat(currentLanguage(), { ...parts, timeZone: businessZone() }).format(new Date(instant));
}

/** Name of a time zone in the reader's language, such as `China Time`. */
export function zoneName(zone: string, instant: number): string {
  const parts = new Intl.DateTimeFormat(currentLanguage(), { timeZone: zone, timeZoneName: 'shortGeneric' }).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** The instant on the reader's own clock, for the pointer; undefined where that is the business time zone. */
export function ownTime(instant: string | number): string | undefined {
  const own = browserZone();
  return own === businessZone() ? undefined : i18next.t('businessZone.own', { at: formatDateTime(instant, own) });
}

/** Date and time in the business time zone for the pointer over an age, with the reader's own where it differs. */
export function fullTime(instant: string | number): string {
  return [formatDateTime(instant), ownTime(instant)].filter(Boolean).join(' · ');
}
