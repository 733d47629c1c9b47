import { useLazyQuery, useQuery } from '@apollo/client/react';
import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { CountryHolidaysDocument, type CountryHolidaysQuery, HolidayCountriesDocument } from './country-holidays.generated.ts';

type Calendar = NonNullable<CountryHolidaysQuery['holidayCalendar']>;

/** Statutory days of one year. */
export interface StatutoryDays {
  country: string;
  dates: readonly string[];
  workdays: readonly string[];
}

interface StatutoryProps {
  year: number;
  /** Country of the policy, ISO 3166-1 alpha-2; null: that of the installation. */
  region: string | null;
  disabledReason: string | null;
  /** Takes the days; they are shown before anything is saved, or saved at once. */
  take: (days: StatutoryDays) => unknown;
  isBusy?: boolean;
}

/** Fills in the statutory holidays and make-up workdays of a year, and tells where they come from. */
export function StatutoryButton({ year, region, disabledReason, take, isBusy = false }: StatutoryProps) {
  const { t, i18n } = useTranslation();
  const me = useMe();
  const { data } = useQuery(HolidayCountriesDocument);
  const [read, { loading }] = useLazyQuery(CountryHolidaysDocument);
  const [taken, setTaken] = useState<Calendar | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const country = region ?? me.region ?? '';
  const name = country && (new Intl.DisplayNames(i18n.language, { type: 'region' }).of(country) ?? country);
  const isKnown = data?.holidayCountries?.includes(country) !== false;

  async function fill(): Promise<void> {
    const calendar = (await read({ variables: { country } })).data?.holidayCalendar;
    if (!calendar) return;
    const ofYear = (date: string) => date.startsWith(`${year}-`);
    const days = { country, dates: calendar.holidays.map(({ date }) => date).filter(ofYear), workdays: calendar.workdays.filter(ofYear) };
    if (days.dates.length === 0) return setRefused(t('holidays.unpublished', { year, country: name }));
    setRefused(null);
    setTaken(calendar);
    await take(days);
  }

  return (
    <>
      <ActButton
        variant="default"
        loading={loading || isBusy}
        reason={disabledReason ?? (isKnown ? null : t('holidays.noCalendar', { country: name }))}
        act={() => void fill().catch((error: Error) => setRefused(error.message))}
      >
        {t('holidays.statutory', { year, country: name })}
      </ActButton>
      {refused && (
        <Alert color="yellow" role="alert" w="100%">
          {refused}
        </Alert>
      )}
      {taken && !refused && (
        <Text className="quiet" size="sm" role="status" w="100%">
          {t('policyForm.holidaysFrom', { sources: taken.sources.join('；'), asOf: taken.asOf, years: year })} {taken.note}
        </Text>
      )}
    </>
  );
}
