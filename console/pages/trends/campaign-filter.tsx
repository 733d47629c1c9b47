import { useQuery } from '@apollo/client/react';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryState } from '../../parts/use-query-state.ts';
import { TrendCampaignsDocument } from './trends.generated.ts';

const TYPING_WAIT_MS = 200;

/** Which campaign's calls count; the server finds it among all. */
export function CampaignFilter() {
  const { t } = useTranslation();
  const [id, setId] = useQueryState('campaign');
  const [typed, type] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_WAIT_MS);
  const { data, previousData } = useQuery(TrendCampaignsDocument, {
    variables: { search: search || null, id: id || '0', hasId: id !== '' },
  });
  const found = (data ?? previousData)?.campaigns?.nodes ?? [];
  const chosen = data?.campaign;
  const all = chosen && !found.some(each => each.id === chosen.id) ? [chosen, ...found] : found;
  const label = t('calls.campaign');
  return (
    <Select
      w={280}
      aria-label={label}
      placeholder={t('trends.everyCampaign')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filters.any', { name: label }) }}
      value={id || null}
      onChange={value => setId(value ?? '')}
      onSearchChange={type}
      // The server has found them.
      filter={({ options }) => options}
      nothingFoundMessage={t('campaigns.noneFound')}
      data={all.map(({ databaseId, name }) => ({ value: databaseId, label: name }))}
    />
  );
}
