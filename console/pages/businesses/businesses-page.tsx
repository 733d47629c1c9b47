import { useQuery } from '@apollo/client/react';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { formatCount, formatDateTime } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { BusinessesDocument, type BusinessRowFragment } from './businesses.generated.ts';

/** Businesses that campaigns call for. They are read-only here: the server's configuration defines them. */
export function BusinessesPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const { data, loading, error } = useQuery(BusinessesDocument);
  const text = search?.toLowerCase() ?? '';
  const rows = (data?.businesses ?? []).filter(({ businessCode, businessName, remark }) =>
    `${businessCode} ${businessName} ${remark}`.toLowerCase().includes(text),
  );
  const columns = useColumns();
  return (
    <>
      <FilterBar count={data && t('businesses.count', { count: rows.length })}>
        <SearchField label={t('businesses.search')} />
      </FilterBar>
      <Text className="quiet" mb="sm">
        {t('businesses.about')}
      </Text>
      {error && <Notice error={error} />}
      <DataTable
        label={t('pages.businesses')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        isLoading={loading}
        empty={t(data?.businesses?.length ? 'businesses.noneFound' : 'businesses.none')}
      />
    </>
  );
}

function useColumns(): Column<BusinessRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: 'name', header: t('businesses.name'), width: '180px', cell: ({ businessName }) => businessName },
      { key: 'code', header: t('businesses.code'), width: '220px', cell: ({ businessCode }) => <code>{businessCode}</code> },
      {
        key: 'state',
        header: t('businesses.state'),
        width: '110px',
        cell: ({ isEnabled }) =>
          isEnabled ? (
            <span className="tone-answered">{t('policies.enabled')}</span>
          ) : (
            <span className="quiet">{t('policies.disabled')}</span>
          ),
      },
      {
        key: 'script',
        header: t('businesses.script'),
        width: '200px',
        cell: ({ script, businessCode, runtimeBringsFlow }) =>
          script ? (
            <Link to={`/scripts/${script.databaseId}`}>
              {t('businesses.scriptVersion', { name: script.name, version: script.version })}
            </Link>
          ) : runtimeBringsFlow ? (
            <span className="quiet">{t('businesses.runtimeBringsFlow')}</span>
          ) : (
            <Link to={`/scripts?q=${encodeURIComponent(businessCode)}`} className="tone-waiting">
              {t('businesses.noScript')}
            </Link>
          ),
      },
      {
        key: 'campaigns',
        header: t('businesses.campaigns'),
        width: '110px',
        isNumber: true,
        cell: ({ campaignCount, businessCode }) =>
          campaignCount > 0 ? <Link to={`/campaigns?q=${encodeURIComponent(businessCode)}`}>{formatCount(campaignCount)}</Link> : 0,
      },
      { key: 'remark', header: t('businesses.remark'), cell: ({ remark }) => <span className="quiet">{remark}</span> },
      {
        key: 'updated',
        header: t('businesses.updated'),
        width: '215px',
        cell: ({ updatedAt }) => <span className="quiet">{formatDateTime(updatedAt)}</span>,
      },
    ],
    [t],
  );
}
