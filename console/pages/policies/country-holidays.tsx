import { useLazyQuery, useQuery } from '@apollo/client/react';
import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { today } from '../../text/date-range.ts';
import { CountryHolidaysDocument, type CountryHolidaysQuery, HolidayCountriesDocument } from './country-holidays.generated.ts';
import type { FieldsProps } from './policy-fields.tsx';
import { entriesOf } from './policy-values.ts';

type Calendar = NonNullable<CountryHolidaysQuery['holidayCalendar']>;

/** Fills in the public holidays of a country from this year on, and tells where they come from; dates that stand already stay. */
export function CountryHolidays({ values, set }: FieldsProps) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(HolidayCountriesDocument);
  const [read] = useLazyQuery(CountryHolidaysDocument);
  const [added, setAdded] = useState<Calendar | null>(null);
  const names = new Intl.DisplayNames(i18n.language, { type: 'region' });
  const countries = (data?.holidayCountries ?? []).map(value => ({ value, label: `${names.of(value) ?? value} (${value})` }));
  const fill = async (country: string | null) => {
    const calendar = country === null ? null : (await read({ variables: { country } })).data?.holidayCalendar;
    if (!calendar) return;
    const joined = (list: string, dates: readonly string[]) =>
      [...new Set([...entriesOf(list), ...dates.filter(isFromThisYear)])].sort().join('\n');
    const dates = calendar.holidays.map(({ date }) => date);
    set({
      dates: joined(values.dates, dates),
      workdayOverrides: joined(values.workdayOverrides, calendar.workdays),
      region: calendar.country,
    });
    setAdded(calendar);
  };
  return (
    <>
      <Select
        label={t('policyForm.country')}
        description={t('policyForm.about.country')}
        searchable
        value={added?.country ?? null}
        onChange={country => void fill(country)}
        data={countries.toSorted((a, b) => a.label.localeCompare(b.label, i18n.language))}
      />
      {added && (
        <Text className="quiet" size="sm" role="status">
          {t('policyForm.holidaysFrom', { sources: added.sources.join('；'), asOf: added.asOf, years: added.years.join(', ') })}{' '}
          {added.note}
        </Text>
      )}
    </>
  );
}

function isFromThisYear(date: string): boolean {
  return date >= today().slice(0, 4);
}
