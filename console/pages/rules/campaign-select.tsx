import { useQuery } from '@apollo/client/react';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { CampaignChoicesDocument } from './campaign-select.generated.ts';

interface CampaignSelectProps {
  label: string;
  /** Row id; empty: none. */
  value: string;
  placeholder?: string;
  isClearable?: boolean;
  width?: number;
  error?: string | undefined;
  choose: (campaignId: string) => void;
}

const SEARCH_WAIT_MS = 200;

/** One of the campaigns, however many: what is typed is searched by the server. */
export function CampaignSelect({ label, value, placeholder, isClearable = false, width, error, choose }: CampaignSelectProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_WAIT_MS);
  const isChosen = value !== '';
  const [chosenName, setChosenName] = useState('');
  const { data, previousData } = useQuery(CampaignChoicesDocument, {
    // What stands in the field once one is chosen is its name, which would find that alone.
    variables: { search: search === '' || search === chosenName ? null : search, id: value || '0', isChosen },
  });
  const { campaign, campaigns } = data ?? previousData ?? {};
  const found = campaigns?.nodes ?? [];
  const rows = campaign && isChosen && !found.some(({ id }) => id === campaign.id) ? [campaign, ...found] : found;
  return (
    <Select
      {...(width === undefined ? {} : { w: width })}
      label={label}
      {...(placeholder === undefined ? {} : { placeholder })}
      searchable
      clearable={isClearable}
      value={value || null}
      error={error}
      onChange={(chosen, option) => {
        setChosenName(option?.label ?? '');
        choose(chosen ?? '');
      }}
      onSearchChange={setTyped}
      data={rows.map(({ databaseId, name }) => ({ value: databaseId, label: name }))}
    />
  );
}
