import { useQuery } from '@apollo/client/react';
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useCallColumns, useCampaignColumn } from '../../parts/call-columns.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FilterBar, useSearch } from '../../parts/filters.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useSlice } from '../../parts/use-slice.ts';
import { useCallFilter } from './call-filter.ts';
import { CallsDocument, type CampaignCallRowFragment } from './calls.generated.ts';
import { CallFilters } from './filters.tsx';

const PAGE_ROWS = 200;

/** Calls of all campaigns, narrowed by what the address says. */
export function CallsPage() {
  const { t } = useTranslation();
  const [today] = useState(() => Date.now());
  const number = useSearch('number');
  const call = useCallFilter(today);
  const variables = {
    first: PAGE_ROWS,
    filter: { ...call.filter, phoneNumber: number.wanted },
    orderBy: { direction: call.isOldestFirst ? ('ASC' as const) : ('DESC' as const) },
  };
  const { data, loading, error, fetchMore } = useQuery(CallsDocument, { variables });
  const { rows, total, loadMore } = useSlice<CampaignCallRowFragment>(data?.attempts, fetchMore);
  const columns = useColumns();
  return (
    <>
      <FilterBar count={total === null ? null : t('calls.count', { count: total })} acts={<Order isOldestFirst={call.isOldestFirst} />}>
        <CallFilters call={call} number={number} />
      </FilterBar>
      {error && <Notice error={error} />}
      <DataTable
        label={t('pages.calls')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={t(call.isFiltered ? 'calls.noneFound' : 'calls.noneOfWeek')}
        isLoading={loading}
        loadMore={loadMore}
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

function useColumns(): Column<CampaignCallRowFragment>[] {
  const { at, number, outcome, duration, class: classification, by, caller } = useCallColumns();
  const campaign = useCampaignColumn();
  return useMemo(
    () => [at, number, campaign, outcome, duration, classification, by, caller],
    [at, number, campaign, outcome, duration, classification, by, caller],
  );
}
