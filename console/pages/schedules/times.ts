/** Times that people choose by name; `CUSTOM` is an expression of their own. */
export const RHYTHMS = ['WEEKDAYS', 'DAILY', 'MONDAYS', 'FIRST_OF_MONTH', 'HOURLY', 'CUSTOM'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** When a schedule runs, as its form has it. */
export interface Times {
  rhythm: Rhythm;
  /** `08:00`; of rhythms by the day. */
  at: string;
  /** The expression of `CUSTOM`. */
  cron: string;
}

const DAYS: Readonly<Partial<Record<Rhythm, string>>> = {
  WEEKDAYS: '* * 1-5',
  DAILY: '* * *',
  MONDAYS: '* * 1',
  FIRST_OF_MONTH: '1 * *',
};
const HOURLY = '0 * * * *';

/** Whether a rhythm has a time of day. */
export function hasTime(rhythm: Rhythm): boolean {
  return DAYS[rhythm] !== undefined;
}

/** The cron expression; empty while the time of day is incomplete. */
export function cronOf({ rhythm, at, cron }: Times): string {
  if (rhythm === 'CUSTOM') return cron.trim();
  const days = DAYS[rhythm];
  if (days === undefined) return HOURLY;
  const [hour, minute] = at.split(':').map(Number);
  return hour === undefined || minute === undefined || Number.isNaN(hour + minute) ? '' : `${minute} ${hour} ${days}`;
}

/** An expression as the form shows it: by its rhythm, where it has one. */
export function timesOf(cron: string): Times {
  if (cron === HOURLY) return { rhythm: 'HOURLY', at: EIGHT, cron };
  const [, minute, hour, days] = /^(\d{1,2}) (\d{1,2}) (.+)$/.exec(cron) ?? [];
  const rhythm = RHYTHMS.find(each => DAYS[each] !== undefined && DAYS[each] === days);
  if (rhythm === undefined || minute === undefined || hour === undefined) return { rhythm: 'CUSTOM', at: EIGHT, cron };
  return { rhythm, at: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, cron };
}

/** When people begin to work. */
const EIGHT = '08:00';

export const USUAL_TIMES: Times = timesOf('0 8 * * 1-5');
