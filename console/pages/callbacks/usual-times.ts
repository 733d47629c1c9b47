import { businessZone } from '../../text/business-zone.ts';
import { addDays, dayIn } from '../../text/date-range.ts';
import { instantIn } from '../../text/local-time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface UsualTime {
  name: 'hour' | 'evening' | 'tomorrow';
  /** UTC ms, a whole minute. */
  at: number;
}

/** Usual times of a callback, in the business time zone; this evening only while it is still ahead. Units: UTC ms */
export function usualTimes(now: number): UsualTime[] {
  const zone = businessZone();
  const onDay = (days: number, time: string) => instantIn(zone, `${addDays(dayIn(zone, now), days)}T${time}`) ?? now;
  const evening = { name: 'evening', at: onDay(0, '18:00') } as const;
  return [
    { name: 'hour', at: Math.ceil((now + HOUR_MS) / MINUTE_MS) * MINUTE_MS },
    ...(evening.at > now ? [evening] : []),
    { name: 'tomorrow', at: onDay(1, '10:00') },
  ];
}
