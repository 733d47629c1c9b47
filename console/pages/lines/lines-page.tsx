import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { EnabledChip, NounPage, OpenLink } from '../../form/noun-page.tsx';
import type { Column } from '../../table/data-table.tsx';
import { ChoiceFilter, SearchField, useSearch } from '../../table/filters.tsx';
import { CapBar } from '../../ui/cap-bar.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { GatewayText } from './gateways.tsx';
import { useLineNoun } from './line-noun.tsx';
import { type LineRowFragment, LinesDocument, LineUseDocument } from './lines.generated.ts';

/** Refresh interval of the lines' load and their gateways, in ms. */
const LOOK_MS = 3_000;

/** The lines on which calls leave the switch, each with its load and its history of changes. */
export function LinesPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const [state] = useQueryState('state');
  const { data, loading, error, refetch } = useQuery(LinesDocument);
  const use = useLineUse();
  const noun = useLineNoun(refetch);
  const columns = useColumns(use);
  const all = data?.lines ?? [];
  const rows = all.filter(line => isFound(line, search ?? '') && (!state || line.isEnabled === (state === 'enabled')));
  return (
    <NounPage
      noun={noun}
      columns={columns}
      rows={rows}
      total={data ? rows.length : null}
      isLoading={loading}
      error={error}
      rowOf={id => (data ? (all.find(({ databaseId }) => databaseId === id) ?? null) : undefined)}
      isNarrowed={search !== null || state !== ''}
      filters={
        <>
          <SearchField label={t('lines.search')} />
          <ChoiceFilter
            name="state"
            label={t('noun.state')}
            choices={[
              { value: 'enabled', label: t('noun.enabled') },
              { value: 'disabled', label: t('noun.disabled') },
            ]}
          />
        </>
      }
    />
  );
}

function isFound({ name, lineCode, callerIdNumber, numbers }: LineRowFragment, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  return [name, lineCode, callerIdNumber ?? '', ...numbers.map(({ number }) => number)].some(text => text.toLowerCase().includes(wanted));
}

/** Active calls by row id of the line; undefined while loading. */
function useLineUse(): ReadonlyMap<string, number> | undefined {
  const { data } = useQuery(LineUseDocument, { pollInterval: LOOK_MS });
  return data && new Map(data.runtimeOverview?.lines.map(({ lineId, active }) => [lineId, active]));
}

function useColumns(use: ReadonlyMap<string, number> | undefined): Column<LineRowFragment>[] {
  const { t } = useTranslation();
  return [
    { key: 'name', header: t('lines.field.name'), cell: ({ databaseId, name }) => <OpenLink id={databaseId}>{name}</OpenLink> },
    { key: 'code', header: t('lines.field.code'), width: '150px', cell: ({ lineCode }) => <span className="quiet">{lineCode}</span> },
    { key: 'state', header: t('noun.state'), width: '110px', cell: ({ isEnabled }) => <EnabledChip isEnabled={isEnabled} /> },
    {
      key: 'use',
      header: t('lines.use'),
      width: '200px',
      cell: ({ databaseId, name, maxConcurrency }) =>
        use && <CapBar name="" label={name} active={use.get(databaseId) ?? 0} cap={maxConcurrency} />,
    },
    { key: 'gateway', header: t('lines.gateway'), width: '150px', cell: ({ gateways }) => <GatewayText gateways={gateways} /> },
    { key: 'mode', header: t('lines.field.allocationMode'), cell: ({ allocationMode }) => t(`allocationMode.${allocationMode}`) },
    {
      key: 'numbers',
      header: t('lines.field.numbers'),
      cell: ({ numbers, callerIdNumber }) =>
        numbers.length > 0 ? `${numbers[0]?.number}${numbers.length > 1 ? ` +${numbers.length - 1}` : ''}` : (callerIdNumber ?? ''),
    },
  ];
}
