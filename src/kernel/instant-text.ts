import { z } from 'zod';

/** Extended and basic form, `2026-12-01T09:00Z` and `20261201T0900Z`; whether the date exists is checked afterwards. */
const ZONED =
  /^(?:\d{4}-\d{2}-\d{2}[Tt ]\d{2}(?::\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?|\d{8}[Tt]\d{2}(?:\d{2}(?:\d{2}(?:[.,]\d{1,9})?)?)?)(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;
const LOCAL = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?$/;

/** Supported range, UTC ms: years of four digits, which every edge can display. */
const FIRST = Temporal.Instant.from('0001-01-01T00:00:00Z').epochMilliseconds;
const LAST = Temporal.Instant.from('9999-12-31T23:59:59.999Z').epochMilliseconds;

/** A local time that is valid in both zones is valid in every zone between them. */
const ZONES_FARTHEST_APART = ['+16:00', '-16:00'];

/** Accepted input for an instant; parse it with `toInstant` (UTC ms). */
export const instantText = z
  .string()
  .max(40)
  .refine(
    text => ZONES_FARTHEST_APART.every(zone => readInstant(text, zone) !== null),
    '不是合法的时间，应为带时区的 ISO 8601 或 YYYY-MM-DD HH:mm[:ss]',
  )
  .meta({ description: 'ISO 8601 with zone, or YYYY-MM-DD HH:mm[:ss] in the business time zone', example: '2026-10-01T09:00:00.000Z' });

/**
 * A validated `instantText` as UTC ms.
 *
 * Units:  UTC ms; `zone` is an IANA name, the business time zone
 * Source: D2.5
 */
export function toInstant(text: string, zone: string): number {
  const at = readInstant(text, zone);
  if (at === null) throw new RangeError('toInstant needs a validated text');
  return at;
}

/** Like `toInstant`, but null, absent and empty text mean "no time" (OCS 2.10 "null or empty"). */
export function toInstantOrNull(text: string | null | undefined, zone: string): number | null {
  return text === null || text === undefined || text === '' ? null : toInstant(text, zone);
}

function readInstant(text: string, zone: string): number | null {
  const at = parseInstant(text, zone);
  return at !== null && at >= FIRST && at <= LAST ? at : null;
}

function parseInstant(text: string, zone: string): number | null {
  try {
    if (ZONED.test(text)) return Temporal.Instant.from(text).epochMilliseconds;
    if (LOCAL.test(text)) return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
    return null;
  } catch {
    // Well formed, but no date of the calendar, such as 2026-02-30.
    return null;
  }
}
