import { useMutation } from '@apollo/client/react';
import { Alert, Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { today } from '../../text/date-range.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { daysOfYear, type Holidays, MARKS, type Mark, marked, withDays } from './holiday-days.ts';
import { type HolidayPolicyFragment, SaveHolidaysDocument } from './holidays.generated.ts';
import styles from './holidays.module.css';
import { Month } from './month.tsx';
import { StatutoryButton } from './statutory-button.tsx';

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

interface HolidayYearProps {
  policy: HolidayPolicyFragment;
  stored: Holidays & { region: string | null };
  disabledReason: string | null;
}

/** Twelve months whose days are marked by a click; nothing is sent before the user saves. */
export function HolidayYear({ policy, stored, disabledReason }: HolidayYearProps) {
  const { t } = useTranslation();
  const [shown, show] = useQueryState('year');
  const [changed, setChanged] = useState<Holidays | null>(null);
  /** Country of the statutory days that were filled in. */
  const [region, setRegion] = useState(stored.region);
  const [mark, setMark] = useState<Mark>('holiday');
  const [refused, setRefused] = useState<string | null>(null);
  const [save, { loading }] = useMutation(SaveHolidaysDocument);
  const holidays = changed ?? stored;
  const year = Number(shown) || Number(today().slice(0, 4));
  const days = daysOfYear(holidays, year);
  const count = (wanted: Mark) => days.filter(day => day.mark === wanted).length;

  async function keep(): Promise<void> {
    const { dates, recurringDates, workdayOverrides } = holidays;
    const lists = { dates: [...dates], recurringDates: [...recurringDates], workdayOverrides: [...workdayOverrides] };
    const result = (await save({ variables: { id: policy.databaseId, holidays: { ...lists, region } } })).data?.result;
    if (isRefusal(result)) {
      setRefused(result.message);
      return;
    }
    setRefused(null);
    setChanged(null);
    sayDone(t('policies.saved', { name: policy.name }));
  }

  return (
    <>
      <Group mb="sm" gap="sm">
        <Button.Group>
          <Button variant="default" onClick={() => show(String(year - 1))} aria-label={t('holidays.yearBefore')}>
            ‹
          </Button>
          <Title order={2} className={styles.year}>
            {year}
          </Title>
          <Button variant="default" onClick={() => show(String(year + 1))} aria-label={t('holidays.yearAfter')}>
            ›
          </Button>
        </Button.Group>
        <SegmentedControl
          aria-label={t('holidays.markAs')}
          value={mark}
          onChange={value => setMark(value)}
          data={MARKS.map(value => ({ value, label: t(`holidays.mark.${value}`) }))}
          disabled={disabledReason !== null}
        />
        <Text className="quiet">
          {t('holidays.counts', { holidays: count('holiday'), yearly: count('everyYear'), workdays: count('workday') })}
        </Text>
        <Group ml="auto" gap="sm">
          {changed && (
            <Button variant="subtle" onClick={() => setChanged(null)}>
              {t('holidays.discard')}
            </Button>
          )}
          <ActButton
            act={() => void keep().catch((error: Error) => setRefused(error.message))}
            loading={loading}
            reason={disabledReason ?? (changed ? null : t('holidays.unchanged'))}
          >
            {t('holidays.save')}
          </ActButton>
        </Group>
      </Group>
      <Text className="quiet" mb="sm">
        {t('holidays.about')}
      </Text>
      <Group mb="md" gap="sm">
        <StatutoryButton
          key={year}
          year={year}
          region={stored.region}
          disabledReason={disabledReason}
          take={days => {
            setChanged(withDays(holidays, days));
            setRegion(days.country);
          }}
        />
      </Group>
      {refused && (
        <Alert color="red" role="alert" mb="md">
          {refused}
        </Alert>
      )}
      <div className={styles.months}>
        {MONTHS.map(month => (
          <Month
            key={month}
            year={year}
            month={month}
            holidays={holidays}
            isReadOnly={disabledReason !== null}
            press={date => setChanged(marked(holidays, date, mark))}
          />
        ))}
      </div>
    </>
  );
}
