/** Shanghai has no clock changes; New York changes at 2026-03-08 02:00 and 2026-11-01 02:00; Santiago and Cairo change at midnight. */
export const SHANGHAI = 'Asia/Shanghai';
export const NEW_YORK = 'America/New_York';

/** UTC ms of a local time such as `2026-02-17T09:00`, computed by Temporal. */
export function local(zone: string, text: string, disambiguation: 'earlier' | 'later' | 'compatible' = 'compatible'): number {
  return Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation }).epochMilliseconds;
}

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;
