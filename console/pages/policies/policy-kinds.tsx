import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormPair } from '../../form/form.tsx';
import { formatCount, formatMs, formatSeconds } from '../../text/format.ts';
import { CountryHolidays } from './country-holidays.tsx';
import type { CreatePolicyMutationVariables, PolicyWordsFragment } from './policies.generated.ts';
import {
  CountField,
  type FieldsProps,
  IntervalField,
  ListField,
  PurposeField,
  RegionField,
  TimesField,
  WeekdaysField,
} from './policy-fields.tsx';
import { entriesOf, type PolicyType, type PolicyValues } from './policy-values.ts';
import { useWeekdays } from './use-weekdays.ts';

type SettingsInput = NonNullable<CreatePolicyMutationVariables['input']['settings']>;

/** Wording and form of one policy type; the texts have its name (`policyType`) and its explanation (`policyAbout`). */
interface PolicyKind<Settings extends PolicyWordsFragment = PolicyWordsFragment> {
  /** Its settings in a row of the list; empty when they hold nothing yet. */
  words(settings: Settings, say: Say): string;
  /** Its fields in the form, each with its explanation. */
  fields: (props: FieldsProps) => ReactNode;
  input: (values: PolicyValues) => SettingsInput;
  /** Fields of the form by the server's name, where the two differ. */
  renamed?: Readonly<Record<string, keyof PolicyValues>>;
}

interface Say {
  t: TFunction;
  weekdays: (days: readonly number[]) => string;
  joined: (parts: readonly (string | false | null)[]) => string;
  /** The first entries, and how many there are. */
  listed: (entries: readonly string[], key: 'policyWords.dates' | 'policyWords.prefixes') => string;
}

type SettingsName = PolicyWordsFragment['__typename'];

/** A row of the table; `settings` is the type of its settings in the schema. */
function kind<Name extends SettingsName>(settings: Name, row: PolicyKind<Extract<PolicyWordsFragment, { __typename: Name }>>) {
  return { ...row, settings };
}

/** An empty number is sent as -1, which the server rejects at its field. */
const numberOf = (value: number | '') => (value === '' ? -1 : value);
const optionalNumber = (value: number | '') => (value === '' ? null : value);

/** Every policy type, in the order of the form and the filter: the most used first. */
export const POLICY_KINDS: Readonly<Record<PolicyType, PolicyKind & { settings: SettingsName }>> = {
  DAILY_WINDOW: kind('DailyWindowSettings', {
    words: ({ start, end }) => `${start}–${end}`,
    fields: props => <TimesField {...props} />,
    input: ({ start, end }) => ({ dailyWindow: { start, end } }),
  }),
  WEEKLY_WINDOW: kind('WeeklyWindowSettings', {
    words: ({ days, start, end }, { weekdays }) => `${weekdays(days)} ${start}–${end}`,
    fields: props => (
      <>
        <WeekdaysField {...props} />
        <TimesField {...props} />
      </>
    ),
    input: ({ days, start, end }) => ({ weeklyWindow: { days: days.toSorted((a, b) => a - b), start, end } }),
  }),
  HOLIDAY_BLOCKLIST: kind('HolidaySettings', {
    words: ({ dates, recurringDates, workdayOverrides, region }, { t, joined }) =>
      joined([
        dates.length > 0 && t('policyWords.holidays', { count: dates.length }),
        recurringDates.length > 0 && t('policyWords.everyYear', { count: recurringDates.length }),
        workdayOverrides.length > 0 && t('policyWords.workdays', { count: workdayOverrides.length }),
        region,
      ]),
    fields: props => (
      <>
        <CountryHolidays {...props} />
        <ListField {...props} field="dates" />
        <ListField {...props} field="recurringDates" />
        <ListField {...props} field="workdayOverrides" />
        <RegionField {...props} />
      </>
    ),
    input: ({ dates, recurringDates, workdayOverrides, region }) => ({
      holidayBlocklist: {
        dates: entriesOf(dates),
        recurringDates: entriesOf(recurringDates),
        workdayOverrides: entriesOf(workdayOverrides),
        region: region.trim() || null,
      },
    }),
  }),
  BLOCKED_DATES: kind('BlockedDatesSettings', {
    words: ({ dates }, { listed }) => listed(dates, 'policyWords.dates'),
    fields: props => <ListField {...props} field="dates" />,
    input: ({ dates }) => ({ blockedDates: { dates: entriesOf(dates) } }),
  }),
  CONTACT_FREQUENCY_LIMIT: kind('ContactFrequencySettings', {
    words: ({ maxAttempts, withinDays }, { t }) => t('policyWords.frequency', { count: maxAttempts, days: withinDays }),
    fields: props => (
      <FormPair>
        <CountField {...props} field="maxAttempts" />
        <CountField {...props} field="withinDays" />
      </FormPair>
    ),
    input: ({ withinDays, maxAttempts }) => ({
      contactFrequencyLimit: { withinDays: numberOf(withinDays), maxAttempts: numberOf(maxAttempts) },
    }),
    renamed: { days: 'withinDays' },
  }),
  PHONE_BLACKLIST: kind('PhoneBlacklistSettings', {
    words: ({ count }, { t }) => t('policyWords.numbers', { count, shown: formatCount(count) }),
    fields: props => <ListField {...props} field="numbers" />,
    input: ({ numbers }) => ({ phoneBlacklist: { numbers: entriesOf(numbers) } }),
  }),
  PHONE_PREFIX_BLOCKLIST: kind('PhonePrefixSettings', {
    words: ({ prefixes }, { listed }) => listed(prefixes, 'policyWords.prefixes'),
    fields: props => <ListField {...props} field="prefixes" />,
    input: ({ prefixes }) => ({ phonePrefixBlocklist: { prefixes: entriesOf(prefixes) } }),
  }),
  CONSENT_REQUIRED: kind('ConsentRequiredSettings', {
    words: ({ purpose }) => purpose,
    fields: props => <PurposeField {...props} />,
    input: ({ purpose }) => ({ consentRequired: { purpose: purpose.trim() } }),
  }),
  ABANDONMENT_LIMIT: kind('AbandonmentLimitSettings', {
    words: ({ hours, maxPercent }, { t }) => t('policyWords.abandonment', { hours, percent: maxPercent }),
    fields: props => (
      <FormPair>
        <CountField {...props} field="maxPercent" />
        <CountField {...props} field="hours" />
      </FormPair>
    ),
    input: ({ hours, maxPercent }) => ({ abandonmentLimit: { hours: numberOf(hours), maxPercent: numberOf(maxPercent) } }),
  }),
  ABANDONED_REST: kind('AbandonedRestSettings', {
    words: ({ hours }, { t }) => t('policyWords.rest', { hours }),
    fields: props => <CountField {...props} field="hours" />,
    input: ({ hours }) => ({ abandonedRest: { hours: numberOf(hours) } }),
  }),
  CONCURRENCY_LIMIT: kind('ConcurrencySettings', {
    words: ({ maxConcurrency }, { t }) => t('policyWords.concurrency', { count: maxConcurrency }),
    fields: props => <CountField {...props} field="maxConcurrency" />,
    input: ({ maxConcurrency }) => ({ concurrencyLimit: { maxConcurrency: numberOf(maxConcurrency) } }),
  }),
  RATE_LIMIT: kind('RateSettings', {
    words: ({ callIntervalMs }, { t }) => t('policyWords.interval', { value: formatMs(callIntervalMs) }),
    fields: props => <IntervalField {...props} />,
    input: ({ callIntervalMs }) => ({ rateLimit: { callIntervalMs: numberOf(callIntervalMs) } }),
  }),
  RETRY_RULE: kind('RetrySettings', {
    words: ({ maxRetries, retryIntervalSeconds: every }, { t, joined }) =>
      joined([
        maxRetries !== null && t('policyWords.retries', { count: maxRetries }),
        every !== null && t('policyWords.apart', { every: formatSeconds(every) }),
      ]),
    fields: props => (
      <FormPair>
        <CountField {...props} field="maxRetries" isOptional />
        <CountField {...props} field="retryIntervalSeconds" isOptional />
      </FormPair>
    ),
    input: ({ maxRetries, retryIntervalSeconds }) => ({
      retryRule: { maxRetries: optionalNumber(maxRetries), retryIntervalSeconds: optionalNumber(retryIntervalSeconds) },
    }),
  }),
};

/** Types and their names, for a select. */
export function usePolicyTypes(): { value: PolicyType; label: string }[] {
  const { t } = useTranslation();
  return (Object.keys(POLICY_KINDS) as PolicyType[]).map(value => ({ value, label: t(`policyType.${value}`) }));
}

/** Most dates and prefixes that a row lists before it only counts them. */
const MOST_SHOWN = 3;

/** Summary of a policy in one line. */
export function usePolicyWords(): (settings: PolicyWordsFragment | null) => string {
  const { t } = useTranslation();
  const weekdays = useWeekdays();
  const say: Say = {
    t,
    weekdays,
    joined: parts => parts.filter(Boolean).join(t('policyWords.comma')),
    listed: (entries, key) => {
      const shown = entries.slice(0, MOST_SHOWN).join(t('policyWords.comma'));
      return entries.length <= MOST_SHOWN ? shown : t(key, { count: entries.length, shown });
    },
  };
  return settings => {
    if (settings === null) return t('policyWords.unreadable');
    const known = Object.values(POLICY_KINDS).find(each => each.settings === settings.__typename);
    return known?.words(settings, say) || t('policyWords.nothing');
  };
}
