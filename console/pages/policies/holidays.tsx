import { useMutation, useQuery } from '@apollo/client/react';
import { Alert, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { today } from '../../text/date-range.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { HolidayYear } from './holiday-year.tsx';
import { StatutoryButton, type StatutoryDays } from './statutory-button.tsx';
import { HolidayPoliciesDocument, type HolidayPolicyFragment, MakeHolidaysDocument } from './holidays.generated.ts';

/** Holidays and make-up workdays of the year, for each policy that has a calendar. */
export function Holidays() {
  const { t } = useTranslation();
  const [wanted, choose] = useQueryState('holidays');
  const { data, error } = useQuery(HolidayPoliciesDocument);
  const disabledReason = useDisabledReason('policy:write');
  if (error && !data) return <Notice error={error} />;
  if (!data) return <Skeleton height={480} />;
  const policies = data.policies ?? [];
  const policy = policies.find(({ databaseId }) => databaseId === wanted) ?? policies[0];
  if (!policy) return <NoHolidays disabledReason={disabledReason} />;
  const nameOf = ({ name, campaign, isEnabled }: HolidayPolicyFragment) =>
    [name, campaign?.name, isEnabled ? null : t('policies.disabled')].filter(Boolean).join(' · ');
  return (
    <>
      {policies.length > 1 && (
        <Select
          mb="md"
          w={320}
          label={t('holidays.policy')}
          allowDeselect={false}
          value={policy.databaseId}
          onChange={id => choose(id ?? '')}
          data={policies.map(each => ({ value: each.databaseId, label: nameOf(each) }))}
        />
      )}
      {!policy.isEnabled && (
        <Alert color="yellow" mb="md">
          {t('holidays.disabled', { name: policy.name })}
        </Alert>
      )}
      {policy.settings?.__typename === 'HolidaySettings' ? (
        <HolidayYear key={policy.id} policy={policy} stored={policy.settings} disabledReason={disabledReason} />
      ) : (
        <Alert color="red">{t('policyWords.unreadable')}</Alert>
      )}
    </>
  );
}

function NoHolidays({ disabledReason }: { disabledReason: string | null }) {
  const { t } = useTranslation();
  const [make, { loading }] = useMutation(MakeHolidaysDocument, { refetchQueries: [HolidayPoliciesDocument] });
  const [refused, setRefused] = useState<string | null>(null);

  async function begin({ dates, workdays, country }: Partial<StatutoryDays> = {}): Promise<void> {
    const name = t('holidays.name');
    const lists = { dates: [...(dates ?? [])], recurringDates: [], workdayOverrides: [...(workdays ?? [])] };
    const result = (await make({ variables: { name, holidays: { ...lists, region: country ?? null } } })).data?.result;
    if (isRefusal(result)) setRefused(result.message);
    else sayDone(t('policies.created', { name }));
  }

  return (
    <Stack align="flex-start" className="sheet" p="xl">
      <Title order={2}>{t('holidays.none')}</Title>
      <Text className="quiet">{t('holidays.aboutNone')}</Text>
      {refused && (
        <Alert color="red" role="alert">
          {refused}
        </Alert>
      )}
      <Group>
        <StatutoryButton year={Number(today().slice(0, 4))} region={null} disabledReason={disabledReason} take={begin} isBusy={loading} />
        <ActButton
          variant="default"
          loading={loading}
          reason={disabledReason}
          act={() => void begin().catch((error: Error) => setRefused(error.message))}
        >
          {t('holidays.make')}
        </ActButton>
      </Group>
    </Stack>
  );
}
