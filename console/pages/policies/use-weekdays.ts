import { useTranslation } from 'react-i18next';

/** Monday is 1, Sunday is 7. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

/** A Monday; the names of the weekdays in the user's language derive from it. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** `Mon`, or `M` where there is little room. */
export function weekdayName(weekday: number, language: string, style: 'short' | 'narrow' | 'long' = 'short'): string {
  return new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' }).format(MONDAY + (weekday - 1) * DAY_MS);
}

/** Names of weekdays; consecutive days as a range. */
export function useWeekdays(): (days: readonly number[]) => string {
  const { t, i18n } = useTranslation();
  return days => {
    const name = (day: number) => weekdayName(day, i18n.language);
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
