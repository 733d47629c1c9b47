import { localIn } from './local-time.ts';
import { currentLanguage } from './text.ts';

/** Date and time of day in a time zone other than the browser's. */
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
  const parts = new Intl.DateTimeFormat(currentLanguage(), { timeZone: zone, timeZoneName: 'shortGeneric' }).formatToParts(instant);
  return { at, zone: parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone };
}
