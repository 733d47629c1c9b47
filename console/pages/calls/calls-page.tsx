import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { BulkBar } from '../../table/bulk-bar.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { FilterBar } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useBulk } from '../../table/use-bulk.ts';
import { useChosen } from '../../table/use-chosen.tsx';
import { findAll, useRows } from '../../table/use-rows.ts';
import { formatCount } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { Notice } from '../../ui/notice.tsx';
import { ExportAct } from '../exports/export-act.tsx';
import { SaveListButton } from '../follow-ups/save-list.tsx';
import { useFoundColumn } from '../results/found-column.tsx';
import { useResultConditions } from '../results/result-filter.tsx';
import { CallBulkActs } from './bulk-acts.tsx';
import { useCallColumns, useCampaignColumn } from './call-columns.tsx';
import { CallFilters, LESSER, LesserFilters, useCallFilter } from './call-filters.tsx';
import { CallsDocument, type CallsQuery, type CampaignCallRowFragment } from './calls.generated.ts';

/** Page size: more than a screen shows, and small enough for a response while the user types. */
const PAGE_ROWS = 50;
/** Refresh interval of the first page, in ms: calls begin and end while one looks. */
const LOOK_MS = 10_000;
const KINDS = ['ATTEMPTS', 'RESULTS', 'TRANSCRIPTS', 'VCONS'] as const;
type CallRow = NonNullable<CallsQuery['attempts']>['nodes'][number];
const callsOf = ({ attempts }: CallsQuery) => attempts;
const nameOf = ({ phoneNumber }: CampaignCallRowFragment) => formatPhone(phoneNumber);

/** Calls of all campaigns, filtered through the URL, with actions on the selected calls. */
export function CallsPage() {
  const { t } = useTranslation();
  const call = useCallFilter();
  const conditions = useResultConditions();
  const variables = {
    first: PAGE_ROWS,
    filter: call.filter,
    results: conditions.length > 0,
    orderBy: { direction: call.isOldestFirst ? ('ASC' as const) : ('DESC' as const) },
  };
  const list = useRows({ document: CallsDocument, variables, sliceOf: callsOf, lookMs: LOOK_MS });
  const { rows, total } = list;
  const chosen = useChosen(rows, nameOf);
  const bulk = useBulk(() => {
    chosen.set([]);
    list.reload();
  });
  const columns = useColumns(chosen.column, { found: conditions.length > 0, recording: call.filter.recordingState !== undefined });
  return (
    <>
      <FilterBar
        more={{ names: LESSER, filters: <LesserFilters isNarrow={call.isNarrow} /> }}
        count={total === null ? null : t('calls.count', { count: total, shown: formatCount(total) })}
        acts={
          <>
            <Order isOldestFirst={call.isOldestFirst} />
            <SaveListButton filter={call.saved} />
            <ExportAct
              total={total}
              kinds={KINDS}
              filter={{ calls: call.filter }}
              campaignId={call.filter.campaignId?.toString() ?? null}
            />
          </>
        }
      >
        <CallFilters />
      </FilterBar>
      <BulkBar chosen={chosen.rows} set={chosen.set} total={total} findAll={report => findAll(list.read, report)} bulk={bulk}>
        <CallBulkActs chosen={chosen.rows} bulk={bulk} />
      </BulkBar>
      {list.error && <Notice error={list.error} again={list.reload} />}
      <DataTable
        label={t('pages.calls')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={call.isFiltered ? <NoneFound>{t('calls.noneFound')}</NoneFound> : t('calls.noneOfWeek')}
        isLoading={list.isLoading}
        of={list.of}
        loadMore={list.loadMore}
      />
    </>
  );
}

function Order({ isOldestFirst }: { isOldestFirst: boolean }) {
  const { t } = useTranslation();
  const [, setQuery] = useSearchParams();
  function turn(): void {
    setQuery(
      before => {
        const after = new URLSearchParams(before);
        if (isOldestFirst) after.delete('order');
        else after.set('order', 'oldest');
        return after;
      },
      { replace: true },
    );
  }
  return (
    <Button variant="default" onClick={turn} leftSection={<span aria-hidden>{isOldestFirst ? '↑' : '↓'}</span>}>
      {t(isOldestFirst ? 'calls.oldestFirst' : 'calls.newestFirst')}
    </Button>
  );
}

/** Columns that stand in place of others, because a filter asks for them. */
interface Shown {
  found: boolean;
  recording: boolean;
}

function useColumns(choose: Column<CampaignCallRowFragment>, shows: Shown): Column<CallRow>[] {
  const { at, number, name, outcome, duration, class: classification, by, caller, recording } = useCallColumns();
  const campaign = useCampaignColumn();
  const found = useFoundColumn();
  return useMemo(
    () => [
      choose,
      at,
      number,
      name,
      campaign,
      outcome,
      duration,
      classification,
      ...(shows.found ? [found] : shows.recording ? [recording, caller] : [by, caller]),
    ],
    [choose, at, number, name, campaign, outcome, duration, classification, by, caller, recording, found, shows.found, shows.recording],
  );
}
