import { businessZone } from './business-zone.ts';
import { currentLanguage } from './text.ts';

/** Formatters by their options: creating one costs as much as hundreds of uses, and a list uses one in each row. */
const made = new Map<string, unknown>();

function kept<Options, Format>(make: new (language: string, options: Options) => Format, options: Options): Format {
  const language = currentLanguage();
  const key = `${language} ${make.name} ${JSON.stringify(options)}`;
  const format = (made.get(key) ?? new make(language, options)) as Format;
  made.set(key, format);
  return format;
}

/** Whole numbers with thousands separators. */
export function formatCount(value: number): string {
  return kept(Intl.NumberFormat, {}).format(value);
}

/** Percentage of a share from 0 to 1. */
export function formatShare(share: number, digits = 0): string {
  return kept(Intl.NumberFormat, { style: 'percent', ...digitsOf(digits) }).format(share);
}

export function formatDecimal(value: number, digits = 1): string {
  return kept(Intl.NumberFormat, digitsOf(digits)).format(value);
}

function digitsOf(digits: number) {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const DAY_AND_TIME = { month: 'short', day: 'numeric', ...TIME } as const;
const YEAR_AND_TIME = { year: 'numeric', ...DAY_AND_TIME } as const;

/** Time of day in the business time zone, with seconds; in another zone on request. */
export function formatTime(instant: string | number, zone = businessZone()): string {
  return kept(Intl.DateTimeFormat, { ...TIME, timeZone: zone }).format(new Date(instant));
}

/** Date and time of day in the business time zone, with the year if it is not the current one; in another zone on request. */
export function formatDateTime(instant: string | number, zone = businessZone()): string {
  const at = new Date(instant);
  return kept(Intl.DateTimeFormat, dayAndTime(at, zone)).format(at);
}

function dayAndTime(at: Date, timeZone: string) {
  const yearOf = (instant: Date) => kept(Intl.DateTimeFormat, { year: 'numeric', timeZone }).format(instant);
  return { ...(yearOf(at) === yearOf(new Date()) ? DAY_AND_TIME : YEAR_AND_TIME), timeZone };
}

/** A day as the URL has it, `2026-12-01` or with its minute `2026-12-01T09:00`, in words; it belongs to no time zone. */
export function formatTypedDay(typed: string): string {
  const at = new Date(typed.length > 10 ? `${typed}Z` : `${typed}T00:00Z`);
  if (Number.isNaN(at.getTime())) return typed;
  const { second: _second, ...toTheMinute } = dayAndTime(at, 'UTC');
  const { hour: _hour, minute: _minute, hourCycle: _cycle, ...day } = toTheMinute;
  return kept(Intl.DateTimeFormat, typed.length > 10 ? toTheMinute : day).format(at);
}

/** Precision of an estimate, in ms. */
const ABOUT_MS = 5 * 60_000;

/** Date and time of an estimated instant in the business time zone: rounded to five minutes, without seconds. */
export function formatAbout(instant: string | number): string {
  const at = new Date(Math.ceil(new Date(instant).getTime() / ABOUT_MS) * ABOUT_MS);
  const { second: _second, ...toTheMinute } = dayAndTime(at, businessZone());
  return kept(Intl.DateTimeFormat, toTheMinute).format(at);
}

/** Milliseconds as seconds with as many digits as they need: `0.2`. */
export function formatMs(ms: number): string {
  return kept(Intl.NumberFormat, { maximumFractionDigits: 3 }).format(ms / 1_000);
}

/** `3:07`; from one hour on `1:02:03`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, ...rest] = parts;
  return (hours > 0 ? parts : rest).map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

const AGES = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;

/** `3 minutes ago`, in the largest unit that fits. */
export function formatAge(instant: string | number, now: number): string {
  // The two clocks may differ: a past event must not appear in the future.
  const seconds = Math.min(0, (new Date(instant).getTime() - now) / 1000);
  const [unit, size] = AGES.findLast(([, each]) => Math.abs(seconds) >= each) ?? AGES[0];
  return kept(Intl.RelativeTimeFormat, { numeric: 'auto', style: 'short' }).format(Math.trunc(seconds / size), unit);
}
