import { useQuery } from '@apollo/client/react';
import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryState } from '../ui/use-query-state.ts';
import { useTyped } from '../ui/use-typed.ts';
import { CampaignChoicesDocument, type CampaignChoicesQueryVariables, ChosenCampaignDocument } from './campaign-select.generated.ts';

interface CampaignSelectProps extends Pick<SelectProps, 'w' | 'placeholder' | 'clearable' | 'error'> {
  label: string;
  /** Whether the label is for screen readers only, because the placeholder shows it. */
  isBare?: boolean;
  /** Row id; empty: none. */
  value: string;
  /** Filter of the campaigns to choose from; absent: all. */
  among?: CampaignChoicesQueryVariables['filter'];
  choose: (campaignId: string) => void;
}

/** Selects one of any number of campaigns: the server searches for what is typed. */
export function CampaignSelect({ label, isBare = false, value, among = null, choose, ...look }: CampaignSelectProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const search = useTyped(typed);
  const chosen = useQuery(ChosenCampaignDocument, { variables: { id: value }, skip: value === '' }).data?.campaign;
  // After a selection the field contains the campaign's name, which would match only that campaign.
  const wanted = search === '' || search === chosen?.name ? null : search;
  const { data, previousData } = useQuery(CampaignChoicesDocument, { variables: { search: wanted, filter: among } });
  const found = (data ?? previousData)?.campaigns?.nodes ?? [];
  const rows = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <Select
      {...look}
      {...(isBare ? { 'aria-label': label } : { label })}
      clearButtonProps={{ 'aria-label': t('filters.any', { name: label }) }}
      searchable
      value={value || null}
      onChange={id => choose(id ?? '')}
      onSearchChange={setTyped}
      // The server has filtered them already.
      filter={({ options }) => options}
      nothingFoundMessage={t('campaigns.noneFound')}
      data={rows.map(({ databaseId, name }) => ({ value: databaseId, label: name }))}
    />
  );
}

/** Filters rows by campaign; kept in the URL. */
export function CampaignFilter({ placeholder, w = 190 }: Pick<SelectProps, 'placeholder' | 'w'>) {
  const { t } = useTranslation();
  const [value, set] = useQueryState('campaign');
  const label = t('calls.campaign');
  return <CampaignSelect label={label} isBare w={w} placeholder={placeholder ?? label} clearable value={value} choose={set} />;
}
