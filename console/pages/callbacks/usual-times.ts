const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface UsualTime {
  name: 'hour' | 'evening' | 'tomorrow';
  /** UTC ms, a whole minute. */
  at: number;
}

/** Usual times of a callback, on the browser's clock; this evening only while it is still ahead. Units: UTC ms */
export function usualTimes(now: number): UsualTime[] {
  const onDay = (days: number, hour: number) => {
    const day = new Date(now);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, hour).getTime();
  };
  const evening = { name: 'evening', at: onDay(0, 18) } as const;
  return [
    { name: 'hour', at: Math.ceil((now + HOUR_MS) / MINUTE_MS) * MINUTE_MS },
    ...(evening.at > now ? [evening] : []),
    { name: 'tomorrow', at: onDay(1, 10) },
  ];
}
