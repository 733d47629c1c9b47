import { useQuery } from '@apollo/client/react';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { formatCount } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { NewScript } from './new-script.tsx';
import { ScriptState } from './script-state.tsx';
import { type ScriptRowFragment, ScriptsDocument } from './scripts.generated.ts';

const PAGE_ROWS = 50;

/** Scripts that lead the calls, grouped by business. */
export function ScriptsPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const [business] = useQueryState('business');
  const [making, setMaking] = useQueryState('new');
  const { data, previousData, loading, error, fetchMore } = useQuery(ScriptsDocument, {
    variables: { first: PAGE_ROWS, search, businessCode: business || null },
  });
  const { rows, total, loadMore } = useSlice<ScriptRowFragment>((data ?? previousData)?.scripts, fetchMore);
  const columns = useColumns();
  return (
    <>
      <FilterBar
        count={total === null ? null : t('scripts.count', { count: total })}
        acts={<Button onClick={() => setMaking('any')}>{t('scriptNew.make')}</Button>}
      >
        <SearchField label={t('scripts.search')} width={260} />
      </FilterBar>
      {making && <NewScript business={making} close={() => setMaking('')} />}
      {error && <Notice error={error} />}
      <DataTable
        label={t('pages.scripts')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        isLoading={loading}
        loadMore={loadMore}
        empty={search ? <NoneFound>{t('scripts.noneFound')}</NoneFound> : <None make={() => setMaking('any')} />}
      />
    </>
  );
}

function None({ make }: { make: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('scripts.none')}</p>
      <Button onClick={make}>{t('scriptNew.make')}</Button>
    </>
  );
}

function useColumns(): Column<ScriptRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('scripts.name'),
        width: '180px',
        cell: ({ databaseId, name }) => <Link to={`/scripts/${databaseId}`}>{name}</Link>,
      },
      {
        key: 'business',
        header: t('scripts.business'),
        width: '160px',
        cell: ({ business, businessCode }) => business?.businessName ?? businessCode,
      },
      { key: 'state', header: t('scripts.state'), width: '150px', cell: row => <ScriptState {...row} /> },
      { key: 'version', header: t('scripts.version'), width: '90px', isNumber: true, cell: ({ version }) => version },
      {
        key: 'campaigns',
        header: t('scripts.campaigns'),
        width: '110px',
        isNumber: true,
        cell: ({ isTaken, business }) => (isTaken && business ? formatCount(business.campaignCount) : <span className="quiet">0</span>),
      },
      { key: 'about', header: t('scripts.description'), cell: ({ description }) => <span className="quiet">{description}</span> },
      {
        key: 'updated',
        header: t('scripts.updated'),
        width: '215px',
        cell: ({ updatedAt }) => (
          <span className="quiet">
            <Instant at={updatedAt} />
          </span>
        ),
      },
    ],
    [t],
  );
}
