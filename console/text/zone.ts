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

/** Local time in the zone as the value of `<input type="datetime-local">`: `2026-02-17T09:00`. */
export function localIn(zone: string, instant: number): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find(each => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** Instant of the local time `2026-02-17T09:00` in the zone, in UTC ms; null when it is invalid. */
export function instantIn(zone: string, local: string): number | null {
  const asUtc = Date.parse(`${local}:00Z`);
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = (instant: number) => Date.parse(`${localIn(zone, instant)}:00Z`) - Math.floor(instant / 60_000) * 60_000;
  // The offset at the guess may be the one before or after a clock change.
  const guess = asUtc - offsetAt(asUtc);
  return asUtc - offsetAt(guess);
}
