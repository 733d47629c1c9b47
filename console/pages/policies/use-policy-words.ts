import { useTranslation } from 'react-i18next';
import { formatCount, formatSeconds } from '../../text/format.ts';
import type { PolicyWordsFragment } from './policies.generated.ts';
import { useWeekdays } from './use-weekdays.ts';

/** Most dates and prefixes that a row lists before it only counts them. */
const MOST_SHOWN = 3;

/** Summary of a policy in one line. */
export function usePolicyWords(): (settings: PolicyWordsFragment | null) => string {
  const { t } = useTranslation();
  const weekdays = useWeekdays();
  const listed = (values: readonly string[], key: 'policyWords.dates' | 'policyWords.prefixes') => {
    const shown = values.slice(0, MOST_SHOWN).join(t('policyWords.comma'));
    return values.length <= MOST_SHOWN ? shown : t(key, { count: values.length, shown });
  };
  return settings => {
    if (settings === null) return t('policyWords.unreadable');
    switch (settings.__typename) {
      case 'BlockedDatesSettings':
        return listed(settings.dates, 'policyWords.dates') || t('policyWords.nothing');
      case 'HolidaySettings': {
        const { dates, recurringDates, workdayOverrides, region } = settings;
        const parts = [
          dates.length > 0 && t('policyWords.holidays', { count: dates.length }),
          recurringDates.length > 0 && t('policyWords.everyYear', { count: recurringDates.length }),
          workdayOverrides.length > 0 && t('policyWords.workdays', { count: workdayOverrides.length }),
          region,
        ];
        return parts.filter(Boolean).join(t('policyWords.comma')) || t('policyWords.nothing');
      }
      case 'DailyWindowSettings':
        return `${settings.start}–${settings.end}`;
      case 'WeeklyWindowSettings':
        return `${weekdays(settings.days)} ${settings.start}–${settings.end}`;
      case 'PhoneBlacklistSettings':
        return t('policyWords.numbers', { count: settings.count, shown: formatCount(settings.count) });
      case 'PhonePrefixSettings':
        return listed(settings.prefixes, 'policyWords.prefixes') || t('policyWords.nothing');
      case 'ContactFrequencySettings':
        return t('policyWords.frequency', { count: settings.maxAttempts, days: settings.withinDays });
      case 'RateSettings':
        return t('policyWords.interval', { value: formatCount(settings.callIntervalMs) });
      case 'RetrySettings': {
        const { maxRetries, retryIntervalSeconds: every } = settings;
        const parts = [
          maxRetries !== null && t('policyWords.retries', { count: maxRetries }),
          every !== null && t('policyWords.apart', { every: formatSeconds(every) }),
        ];
        return parts.filter(Boolean).join(t('policyWords.comma')) || t('policyWords.nothing');
      }
      case 'ConcurrencySettings':
      default:
        return t('policyWords.concurrency', { count: settings.maxConcurrency });
    }
  };
}
