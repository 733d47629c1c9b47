import { useQuery } from '@apollo/client/react';
import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryState } from '../../ui/use-query-state.ts';
import { classWords } from './call-words.tsx';
import { CallClassesDocument } from './calls.generated.ts';

const DAYS_BACK = 31;
const MS_PER_DAY = 86_400_000;
/** Intents that are named beside a class. */
const MOST_INTENTS = 3;

/** Filter by the class that scripts give to calls: those of the last month are offered, by their names and intents. */
export function ClassFilter() {
  const { t } = useTranslation();
  const [value, set] = useQueryState('class');
  const [isAsked, setAsked] = useState(false);
  const choices = useClasses(isAsked || value !== '', value);
  return (
    <Select
      w={170}
      aria-label={t('calls.classification')}
      placeholder={t('calls.classification')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filters.any', { name: t('calls.classification') }) }}
      onDropdownOpen={() => setAsked(true)}
      nothingFoundMessage={t('calls.noClasses')}
      data={choices}
      value={value || null}
      onChange={next => set(next ?? '')}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
    />
  );
}

function useClasses(isAsked: boolean, chosen: string): { value: string; label: string }[] {
  const { t } = useTranslation();
  const [range] = useState(() => ({
    from: new Date(Date.now() - DAYS_BACK * MS_PER_DAY).toISOString(),
    to: new Date(Date.now() + MS_PER_DAY).toISOString(),
  }));
  const { data } = useQuery(CallClassesDocument, { variables: range, skip: !isAsked });
  return useMemo(() => {
    const intents = new Map<string, string[]>();
    for (const { keys } of data?.callStats?.rows ?? []) {
      const [name = '', intent = ''] = keys.map(key => key.value);
      if (name !== '') intents.set(name, [...(intents.get(name) ?? []), ...(intent === '' ? [] : [intent])]);
    }
    if (chosen !== '' && !intents.has(chosen)) intents.set(chosen, []);
    return [...intents].map(([name, said]) => ({
      value: name,
      label: [classWords(name, t), said.slice(0, MOST_INTENTS).join(t('noun.between'))].filter(Boolean).join(' · '),
    }));
  }, [data, chosen, t]);
}
