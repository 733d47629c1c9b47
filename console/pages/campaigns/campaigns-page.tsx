import { useQuery, useSubscription } from '@apollo/client/react';
import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { SearchField, useSearch } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { formatCount, formatShare } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { type CampaignRowFragment, CampaignsDocument, CampaignsProgressDocument } from './campaigns.generated.ts';
import { type CampaignStatus, Phase, StatusChip } from './phase.tsx';
import { leftOut, shareOf } from './progress.ts';
import { ProgressBar } from './progress-bar.tsx';

const PAGE_ROWS = 50;
/** Most campaigns that one subscription follows. */
const MOST_FOLLOWED = 200;
const STATUSES: readonly (CampaignStatus | '')[] = ['', 'RUNNING', 'PAUSED', 'DRAFT', 'COMPLETED', 'ARCHIVED'];

/** Every campaign with its live progress. */
export function CampaignsPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const [status, setStatus] = useQueryState('status');
  const { rows, total, isLoading, error, loadMore } = useCampaigns(search, status as CampaignStatus | '');
  const columns = useColumns();
  return (
    <>
      <Group mb="md" gap="sm">
        <SearchField label={t('campaigns.search')} width={260} />
        <SegmentedControl
          aria-label={t('campaigns.status')}
          value={status}
          onChange={setStatus}
          data={STATUSES.map(value => ({ value, label: value ? t(`campaignStatus.${value}`) : t('campaigns.every') }))}
        />
        <Text className="quiet" aria-live="polite">
          {total !== null && t('campaigns.count', { count: total })}
        </Text>
        <Group ml="auto">
          <NewCampaign />
        </Group>
      </Group>
      {error && <Notice error={error} />}
      <DataTable
        label={t('pages.campaigns')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={search || status ? <NoneFound>{t('campaigns.noneFound')}</NoneFound> : <None />}
        isLoading={isLoading}
        loadMore={loadMore}
      />
    </>
  );
}

/** The first step: a campaign. */
function None() {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('wall.noCampaigns')}</p>
      <NewCampaign />
    </>
  );
}

function NewCampaign() {
  const { t } = useTranslation();
  const disabledReason = useDisabledReason('campaign:write');
  const label = t('campaigns.make');
  if (disabledReason !== null) return <ActButton reason={disabledReason}>{label}</ActButton>;
  return (
    <Button component={Link} to="/campaigns/new">
      {label}
    </Button>
  );
}

/** Progress in percent; contacts that a finished campaign has left out appear in a tooltip, and beside the bar on its page. */
function Share({ status, progress }: Pick<CampaignRowFragment, 'status' | 'progress'>) {
  const { t } = useTranslation();
  const left = leftOut(status, progress);
  const title = left > 0 ? t('campaign.leftOut', { count: left, shown: formatCount(left) }) : undefined;
  return <span title={title}>{formatShare(shareOf(status, progress))}</span>;
}

function useCampaigns(search: string | null, status: CampaignStatus | '') {
  const variables = { first: PAGE_ROWS, search, filter: status ? { status } : null };
  const { data, previousData, loading, error, fetchMore } = useQuery(CampaignsDocument, { variables });
  const { rows, total, loadMore } = useSlice<CampaignRowFragment>((data ?? previousData)?.campaigns, fetchMore);
  const campaignIds = rows.slice(0, MOST_FOLLOWED).map(({ databaseId }) => databaseId);
  // The events update the rows in the cache.
  useSubscription(CampaignsProgressDocument, { variables: { campaignIds }, skip: campaignIds.length === 0, ignoreResults: true });
  return { rows, total, isLoading: loading, error, loadMore };
}

function useColumns(): Column<CampaignRowFragment>[] {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => [
      { key: 'name', header: t('campaigns.name'), cell: ({ databaseId, name }) => <Link to={`/campaigns/${databaseId}`}>{name}</Link> },
      { key: 'status', header: t('campaigns.status'), width: '124px', cell: ({ status }) => <StatusChip status={status} /> },
      {
        key: 'phase',
        header: t('campaigns.now'),
        width: '340px',
        cell: campaign => <Phase {...campaign} />,
      },
      { key: 'progress', header: t('campaigns.progress'), width: '130px', cell: ({ progress }) => <ProgressBar {...progress} /> },
      {
        key: 'share',
        header: '',
        width: '72px',
        isNumber: true,
        cell: ({ status, progress }) => <Share status={status} progress={progress} />,
      },
      {
        key: 'calls',
        header: t('campaigns.calls'),
        width: '96px',
        isNumber: true,
        cell: ({ progress }) => formatCount(progress.activeCalls),
      },
      {
        key: 'contacts',
        header: t('campaigns.contacts'),
        width: '96px',
        isNumber: true,
        cell: ({ progress }) => formatCount(progress.total),
      },
      {
        key: 'created',
        header: t('campaigns.created'),
        width: '164px',
        cell: ({ createdAt }) => (
          <span className="quiet">
            <Instant at={createdAt} />
          </span>
        ),
      },
    ],
    // The language determines the texts.
    [t, i18n.language],
  );
}
