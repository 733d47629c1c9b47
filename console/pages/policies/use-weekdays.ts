import { useTranslation } from 'react-i18next';
import { weekdayName } from '../../text/zone.ts';

/** Monday is 1, Sunday is 7. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

/** Names of weekdays; consecutive days as a range. */
export function useWeekdays(): (days: readonly number[]) => string {
  const { t } = useTranslation();
  return days => {
    const name = (day: number) => weekdayName(day);
    return runsOf(days.toSorted((a, b) => a - b))
      .map(({ first, last }) =>
        first === last
          ? name(first)
          : last - first === 1
            ? `${name(first)}${t('policyWords.comma')}${name(last)}`
            : `${name(first)}–${name(last)}`,
      )
      .join(t('policyWords.comma'));
  };
}

function runsOf(days: readonly number[]): { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run && day === run.last + 1) run.last = day;
    else if (run?.last !== day) runs.push({ first: day, last: day });
  }
  return runs;
}
