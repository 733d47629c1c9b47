import { useQuery } from '@apollo/client/react';
import { Select, TextInput, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CampaignFilter } from '../../form/campaign-select.tsx';
import { CALL_STATUSES } from './call-outcomes.ts';
import { ChoiceFilter, SearchField } from '../../table/filters.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { type CallFilter, SPANS, TALKS, USUAL_SPAN } from './call-filter.ts';
import { CallChoicesDocument } from './calls.generated.ts';

/** Filters of the calls, each kept in the URL. */
export function CallFilters({ span }: Pick<CallFilter, 'span'>) {
  const { t } = useTranslation();
  const [, setSpan] = useQueryState('span');
  return (
    <>
      <Select
        w={130}
        aria-label={t('calls.span')}
        allowDeselect={false}
        value={span}
        onChange={chosen => setSpan(chosen === USUAL_SPAN ? '' : (chosen ?? ''))}
        data={Object.keys(SPANS).map(value => ({ value, label: t(`calls.spans.${value}`) }))}
      />
      <SearchField name="number" label={t('calls.number')} />
      <ChoiceFilter
        name="outcome"
        label={t('calls.outcome')}
        choices={CALL_STATUSES.map(value => ({ value, label: t(`callStatus.${value}`) }))}
      />
      <CampaignFilter />
    </>
  );
}

/** Query parameters of the filters behind "more". */
export const LESSER = ['line', 'agent', 'talk', 'class'];

export function LesserFilters({ isNarrow }: Pick<CallFilter, 'isNarrow'>) {
  const { t } = useTranslation();
  const { data } = useQuery(CallChoicesDocument);
  const named = (rows: readonly { databaseId: string; name: string }[] | null | undefined) =>
    (rows ?? []).map(({ databaseId, name }) => ({ value: databaseId, label: name }));
  return (
    <>
      <ChoiceFilter name="line" label={t('calls.line')} choices={named(data?.lines)} />
      <ChoiceFilter name="agent" label={t('calls.agent')} choices={named(data?.agents)} />
      <Scanned isNarrow={isNarrow}>
        <ChoiceFilter
          name="talk"
          label={t('calls.duration')}
          choices={Object.keys(TALKS).map(value => ({ value, label: t(`calls.talks.${value}`) }))}
        />
        <ClassFilter />
      </Scanned>
    </>
  );
}

/** A filter that needs a narrower list; it says so until the list is narrow enough. */
function Scanned({ isNarrow, children }: { isNarrow: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  if (isNarrow) return children;
  return (
    <Tooltip label={t('calls.tooMany')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <TextInput
        w={190}
        aria-label={t('calls.durationOrClass')}
        placeholder={t('calls.durationOrClass')}
        readOnly
        aria-description={t('calls.tooMany')}
      />
    </Tooltip>
  );
}

/** Result classes are defined by scripts: the user types one in full and confirms it with Enter. */
function ClassFilter() {
  const { t } = useTranslation();
  const [value, set] = useQueryState('class');
  return (
    <TextInput
      key={value}
      w={140}
      aria-label={t('calls.classification')}
      placeholder={t('calls.classification')}
      defaultValue={value}
      onBlur={event => set(event.currentTarget.value.trim())}
      onKeyDown={event => event.key === 'Enter' && set(event.currentTarget.value.trim())}
    />
  );
}
