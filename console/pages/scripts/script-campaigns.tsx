import { useQuery } from '@apollo/client/react';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StatusChip } from '../campaigns/phase.tsx';
import { type ScriptCampaignFragment, ScriptCampaignsDocument, type ScriptHeadFragment } from './script.generated.ts';

/** A page of few rows: each is a whole pre-flight. */
const PAGE_ROWS = 20;

/** Campaigns of the script's business: they use this script, or a newer one that overrides it. */
export function ScriptCampaigns({ script: { businessCode, business, isTaken } }: { script: ScriptHeadFragment }) {
  const { t } = useTranslation();
  const { data, loading, error, fetchMore } = useQuery(ScriptCampaignsDocument, { variables: { businessCode, first: PAGE_ROWS } });
  const { rows, total, loadMore } = useSlice<ScriptCampaignFragment>(data?.campaigns, fetchMore);
  const columns = useMemo<Column<ScriptCampaignFragment>[]>(
    () => [
      { key: 'name', header: t('campaigns.name'), cell: ({ databaseId, name }) => <Link to={`/campaigns/${databaseId}`}>{name}</Link> },
      { key: 'status', header: t('campaigns.status'), width: '120px', cell: ({ status }) => <StatusChip status={status} /> },
      {
        key: 'lacking',
        header: t('script.lacking'),
        cell: ({ preflight }) => {
          const check = preflight?.checks.find(({ code }) => code === 'VARIABLES');
          return check && check.level !== 'OK' ? <span className="tone-waiting">{check.message}</span> : null;
        },
      },
      {
        key: 'created',
        header: t('campaigns.created'),
        width: '200px',
        cell: ({ createdAt }) => (
          <span className="quiet">
            <Instant at={createdAt} />
          </span>
        ),
      },
    ],
    [t],
  );
  const name = business?.businessName ?? businessCode;
  return (
    <>
      <Text className="quiet" mb="sm">
        {t(isTaken ? 'script.usedBy' : 'script.notUsedBy', { name, count: total ?? 0 })}
      </Text>
      {error && <Notice error={error} />}
      <DataTable
        label={t('script.usage')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        isLoading={loading}
        loadMore={loadMore}
        empty={t('script.noCampaigns')}
      />
    </>
  );
}
