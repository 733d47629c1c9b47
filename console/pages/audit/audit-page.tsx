import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { OpenLink } from '../../form/noun-page.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { DateRange, useDateRange } from '../../table/date-range.tsx';
import { ChoiceFilter, FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { ExportAct } from '../exports/export-act.tsx';
import { AuditLogsDocument, type AuditRowFragment } from './audit.generated.ts';
import { AuditDrawer } from './audit-drawer.tsx';
import { detailOf, useAuditValues, useTurned } from './audit-values.ts';
import { useAuditWords } from './audit-words.ts';

const PAGE_ROWS = 100;
const KINDS = ['AUDIT_LOG'] as const;

/** The audit log. */
export function AuditPage() {
  const { t } = useTranslation();
  const { actions, types } = useAuditWords();
  const search = useSearch();
  const { filter, isNarrowed } = useFilter();
  const { data, previousData, loading, error, fetchMore } = useQuery(AuditLogsDocument, {
    variables: { first: PAGE_ROWS, search, filter },
  });
  const { rows, total, loadMore } = useSlice<AuditRowFragment>((data ?? previousData)?.auditLogs, fetchMore);
  const columns = useColumns();
  return (
    <>
      <FilterBar
        count={total === null ? null : t('audit.count', { count: total })}
        acts={<ExportAct total={total} kinds={KINDS} filter={{ search, auditLogs: filter }} campaignId={null} needs="audit:read" />}
        more={{ names: ['id'], filters: <SearchField name="id" label={t('audit.targetId')} width={110} /> }}
      >
        <DateRange />
        <SearchField label={t('audit.search')} />
        <SearchField name="who" label={t('audit.who')} width={140} />
        <ChoiceFilter name="action" label={t('audit.action')} choices={actions} width={210} />
        <ChoiceFilter name="type" label={t('audit.target')} choices={types} />
      </FilterBar>
      {error && <Notice error={error} />}
      <DataTable
        label={t('pages.audit')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={isNarrowed || search ? <NoneFound>{t('audit.noneFound')}</NoneFound> : t('audit.none')}
        isLoading={loading}
        loadMore={loadMore}
      />
      <AuditDrawer rows={rows} />
    </>
  );
}

function useFilter() {
  const actorName = useSearch('who');
  const [action] = useQueryState('action');
  const [type] = useQueryState('type');
  const targetId = useSearch('id');
  const span = useDateRange();
  const filter = { actorName, action: action || null, targetType: type || null, targetId, ...span };
  return { filter, isNarrowed: Object.values(filter).some(value => value !== null) };
}

function useColumns(): Column<AuditRowFragment>[] {
  const { t } = useTranslation();
  const { actionOf, targetOf, whoOf } = useAuditWords();
  return [
    {
      key: 'at',
      header: t('audit.at'),
      width: '190px',
      cell: ({ createdAt }) => (
        <span className="quiet">
          <Instant at={createdAt} />
        </span>
      ),
    },
    { key: 'who', header: t('audit.who'), width: '140px', cell: row => whoOf(row) },
    {
      key: 'action',
      header: t('audit.action'),
      width: '240px',
      cell: row => <OpenLink id={row.databaseId}>{actionOf(row.action)}</OpenLink>,
    },
    {
      key: 'target',
      header: t('audit.target'),
      width: '300px',
      cell: targetOf,
    },
    { key: 'summary', header: t('audit.summary'), cell: row => <Summary row={row} /> },
  ];
}

/** How many facts a summary shows, so that it stays one line. */
const MOST_FACTS = 3;
/** Members that only programs need. */
const OPAQUE = /Ids?$|Uuid$|^hash$|^from$|^to$/;

/** The changes; else the server's summary in its own language. When the action says it all, the other details. */
function Summary({ row: { action, summary, targetType, detail } }: { row: AuditRowFragment }) {
  const { t } = useTranslation();
  const { nameOf, wordOf } = useAuditValues(targetType);
  const turned = useTurned(targetType);
  const { before, after, names, rest } = detailOf(detail);
  const changed = names.map(field => turned({ field, before: before[field], after: after[field] }));
  const facts = Object.entries(rest).flatMap(([name, value]) => {
    const word = OPAQUE.test(name) || value === null ? null : wordOf(name, value);
    return word === null ? [] : [t('audit.turnedOf', { name: nameOf(name), value: word })];
  });
  const { actionOf, summaryOf } = useAuditWords();
  const line = summaryOf({ summary });
  const isLineWanted = changed.length === 0 && line !== null && !line.endsWith(actionOf(action));
  return isLineWanted ? line : [...changed, ...facts].slice(0, MOST_FACTS).join(' · ');
}
