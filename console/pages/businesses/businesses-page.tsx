import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { EnabledChip, NounPage, OpenLink } from '../../form/noun-page.tsx';
import type { Column } from '../../table/data-table.tsx';
import { SearchField, useSearch } from '../../table/filters.tsx';
import { formatCount } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { useBusinessNoun } from './business-noun.tsx';
import { BusinessesDocument, type BusinessRowFragment } from './businesses.generated.ts';

/** Businesses that campaigns call for: made here, or written in the server's configuration, which alone changes those. */
export function BusinessesPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const { data, loading, error, refetch } = useQuery(BusinessesDocument);
  const noun = useBusinessNoun(refetch);
  const columns = useColumns();
  const text = search?.toLowerCase() ?? '';
  const all = data?.businesses ?? [];
  const rows = all.filter(({ businessCode, businessName, remark }) =>
    `${businessCode} ${businessName} ${remark}`.toLowerCase().includes(text),
  );
  return (
    <NounPage
      noun={noun}
      columns={columns}
      rows={rows}
      total={data ? rows.length : null}
      isLoading={loading}
      error={error}
      rowOf={id => (data ? (all.find(({ databaseId }) => databaseId === id) ?? null) : undefined)}
      isNarrowed={text !== ''}
      filters={<SearchField label={t('businesses.search')} />}
    />
  );
}

function useColumns(): Column<BusinessRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('businesses.name'),
        width: '160px',
        cell: ({ databaseId, businessName }) => <OpenLink id={databaseId}>{businessName}</OpenLink>,
      },
      { key: 'code', header: t('businesses.code'), width: '180px', cell: ({ businessCode }) => <code>{businessCode}</code> },
      {
        key: 'state',
        header: t('businesses.state'),
        width: '90px',
        cell: ({ isEnabled }) => <EnabledChip isEnabled={isEnabled} />,
      },
      {
        key: 'script',
        header: t('businesses.script'),
        width: '180px',
        cell: ({ script, businessCode, runtimeBringsFlow }) =>
          script ? (
            <Link to={`/scripts/${script.databaseId}`}>
              {t('businesses.scriptVersion', { name: script.name, version: script.version })}
            </Link>
          ) : runtimeBringsFlow ? (
            <span className="quiet">{t('businesses.runtimeBringsFlow')}</span>
          ) : (
            <Link to={`/scripts?q=${encodeURIComponent(businessCode)}&new=${encodeURIComponent(businessCode)}`} className="tone-waiting">
              {t('businesses.noScript')}
            </Link>
          ),
      },
      {
        key: 'dispositions',
        header: t('businesses.dispositions'),
        width: '110px',
        cell: ({ businessCode }) => (
          <Link to={`/businesses/${encodeURIComponent(businessCode)}/dispositions`}>{t('businesses.toDispositions')}</Link>
        ),
      },
      {
        key: 'campaigns',
        header: t('businesses.campaigns'),
        width: '84px',
        isNumber: true,
        cell: ({ campaignCount, businessCode }) =>
          campaignCount > 0 ? <Link to={`/campaigns?q=${encodeURIComponent(businessCode)}`}>{formatCount(campaignCount)}</Link> : 0,
      },
      {
        key: 'origin',
        header: t('businesses.origin'),
        width: '104px',
        cell: ({ isConfigured }) => <span className="quiet">{t(isConfigured ? 'businesses.configured' : 'businesses.ofPeople')}</span>,
      },
      { key: 'remark', header: t('businesses.remark'), cell: ({ remark }) => <span className="quiet">{remark}</span> },
      {
        key: 'updated',
        header: t('businesses.updated'),
        width: '170px',
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
