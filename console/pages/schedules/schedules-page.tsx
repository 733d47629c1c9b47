import { useQuery } from '@apollo/client/react';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { EnabledChip, NounPage, OpenLink } from '../../form/noun-page.tsx';
import type { Column } from '../../table/data-table.tsx';
import { SearchField, useSearch } from '../../table/filters.tsx';
import { formatDateTime } from '../../text/format.ts';
import { RunState } from './run-state.tsx';
import { kindOf } from './schedule-values.ts';
import { useScheduleNoun } from './schedule-noun.tsx';
import { ReportSchedulesDocument, type ScheduleRowFragment } from './schedules.generated.ts';
import { timesOf } from './times.ts';

/** Refresh interval, in ms. */
const LOOK_MS = 5_000;

/** Reports and exports that are sent at times of a calendar: the user's own, for administrators everybody's. */
export function SchedulesPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const { data, loading, error, refetch } = useQuery(ReportSchedulesDocument, { pollInterval: LOOK_MS });
  const noun = useScheduleNoun(refetch);
  const columns = useColumns();
  const text = search?.toLowerCase() ?? '';
  const all = data?.schedules ?? [];
  const rows = all.filter(({ name, channelName }) => `${name} ${channelName ?? ''}`.toLowerCase().includes(text));
  return (
    <>
      <Text mb="sm">
        <Link to="/reports">{t('schedules.toReports')}</Link>
      </Text>
      <NounPage
        noun={noun}
        columns={columns}
        rows={rows}
        total={data ? rows.length : null}
        isLoading={loading && !data}
        error={error}
        rowOf={id => (data ? (all.find(({ databaseId }) => databaseId === id) ?? null) : undefined)}
        isNarrowed={text !== ''}
        filters={<SearchField label={t('schedules.search')} />}
      />
    </>
  );
}

function useColumns(): Column<ScheduleRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('schedules.name'),
        width: '180px',
        cell: ({ databaseId, name }) => <OpenLink id={databaseId}>{name}</OpenLink>,
      },
      { key: 'what', header: t('schedules.content'), cell: row => <Content row={row} /> },
      { key: 'when', header: t('schedules.when'), width: '200px', cell: row => <When row={row} /> },
      {
        key: 'to',
        header: t('schedules.to'),
        width: '150px',
        cell: ({ channelName }) => channelName ?? <span className="tone-failed">{t('schedules.channelGone')}</span>,
      },
      {
        key: 'next',
        header: t('schedules.nextRun'),
        width: '190px',
        cell: ({ nextRunAt, isEnabled }) =>
          nextRunAt === null ? <EnabledChip isEnabled={isEnabled} /> : <span className="quiet">{formatDateTime(nextRunAt)}</span>,
      },
      { key: 'last', header: t('schedules.lastRun'), width: '230px', cell: row => <LastRun row={row} /> },
    ],
    [t],
  );
}

/** The name of the report, or what is exported. */
function Content({ row: { reportId, reportName, export: exported } }: { row: ScheduleRowFragment }) {
  const { t } = useTranslation();
  if (reportId === null) return t('schedules.exportOf', { kind: t(`exports.kind.${kindOf(exported)}`) });
  return reportName ?? <span className="tone-failed">{t('schedules.reportGone')}</span>;
}

function When({ row: { cron } }: { row: ScheduleRowFragment }) {
  const { t } = useTranslation();
  const { rhythm, at } = timesOf(cron);
  if (rhythm === 'CUSTOM') return <code>{cron}</code>;
  return rhythm === 'HOURLY' ? t('schedules.rhythm.HOURLY') : `${t(`schedules.rhythm.${rhythm}`)} ${at}`;
}

function LastRun({ row: { lastRunAt, lastState } }: { row: ScheduleRowFragment }) {
  const { t } = useTranslation();
  if (lastRunAt === null || lastState === null) return <span className="quiet">{t('schedules.never')}</span>;
  return (
    <>
      <RunState state={lastState} /> <span className="quiet">{formatDateTime(lastRunAt)}</span>
    </>
  );
}
