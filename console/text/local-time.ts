import { businessZone } from './business-zone.ts';

/** Value of `<input type="datetime-local">` in the business time zone; empty for null. */
export function localOf(instant: string | null): string {
  return instant ? localIn(businessZone(), Date.parse(instant)) : '';
}

/** The instant of such a field; null when it is empty or invalid, as a URL may be. */
export function instantOf(local: string): string | null {
  const at = instantIn(businessZone(), local);
  return at === null ? null : new Date(at).toISOString();
}

const MINUTE = { hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;

/** Formatters by their zone: a calendar asks for hundreds of times at once. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en', { ...MINUTE, timeZone });
  clocks.set(timeZone, clock);
  return clock;
}

/** Local time in the zone as the value of `<input type="datetime-local">`: `2026-02-17T09:00`. */
export function localIn(zone: string, instant: number): string {
  const parts = clockOf(zone).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find(each => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** Browsers read other texts as times, too. */
const TYPED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Instant of the local time `2026-02-17T09:00` in the zone, in UTC ms; null when it is invalid. */
export function instantIn(zone: string, local: string): number | null {
  const asUtc = TYPED.test(local) ? Date.parse(`${local}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = (instant: number) => Date.parse(`${localIn(zone, instant)}:00Z`) - Math.floor(instant / 60_000) * 60_000;
  // The offset at the guess may be the one before or after a clock change.
  const guess = asUtc - offsetAt(asUtc);
  return asUtc - offsetAt(guess);
}
