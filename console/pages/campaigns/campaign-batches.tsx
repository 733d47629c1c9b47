import { useMutation, useQuery } from '@apollo/client/react';
import { Group, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { formatCount, formatDateTime } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import {
  type BatchRowFragment,
  CampaignBatchesDocument,
  CancelBatchDocument,
  DispatchCampaignDocument,
  type OpenCampaignFragment,
} from './campaign.generated.ts';
import styles from './campaign.module.css';
import { useReasonOf } from './campaign-head.tsx';
import { Imports } from './campaign-imports.tsx';

const PAGE_ROWS = 100;
const LOOK_MS = 5_000;

/** The campaign's batches of contacts and how they were dialled. */
export function Batches({ campaign }: { campaign: OpenCampaignFragment }) {
  const { t } = useTranslation();
  return (
    <div className={styles.stack}>
      <Imports campaign={campaign} />
      <section>
        <Group justify="space-between" mb="sm">
          <Title order={2}>{t('batches.dialled')}</Title>
          <Dispatch campaign={campaign} />
        </Group>
        <Dialled campaign={campaign} />
      </section>
    </div>
  );
}

function Dialled({ campaign: { databaseId: id } }: { campaign: OpenCampaignFragment }) {
  const { t } = useTranslation();
  const { data, loading, error, fetchMore } = useQuery(CampaignBatchesDocument, {
    variables: { id, first: PAGE_ROWS },
    pollInterval: LOOK_MS,
  });
  const { rows, loadMore } = useSlice<BatchRowFragment>(data?.campaign?.batches, fetchMore);
  const columns = useBatchColumns(id);
  return (
    <>
      {error && <Notice error={error} />}
      <DataTable
        label={t('batches.dialled')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={t('batches.none')}
        isLoading={loading}
        loadMore={loadMore}
      />
    </>
  );
}

function useBatchColumns(campaignId: string): Column<BatchRowFragment>[] {
  const { t } = useTranslation();
  return [
    { key: 'at', header: t('batches.at'), width: '200px', cell: row => <Instant at={row.createdAt} /> },
    {
      key: 'source',
      header: t('batches.source'),
      width: '160px',
      cell: row => row.createdBy?.displayName ?? t(`batchSource.${row.source}`),
    },
    { key: 'status', header: t('contacts.status'), width: '110px', cell: row => t(`batchStatus.${row.status}`) },
    {
      key: 'requested',
      header: t('batches.requested'),
      width: '90px',
      isNumber: true,
      cell: row => (
        <Link
          to={`/campaigns/${campaignId}?tab=contacts&batch=${row.databaseId}`}
          aria-label={t('batches.contactsOf', { at: formatDateTime(row.createdAt) })}
        >
          {formatCount(row.requested)}
        </Link>
      ),
    },
    { key: 'submitted', header: t('batches.submitted'), width: '90px', isNumber: true, cell: row => formatCount(row.submitted) },
    { key: 'failed', header: t('batches.refused'), width: '90px', isNumber: true, cell: row => formatCount(row.failed) },
    {
      key: 'act',
      header: '',
      width: '130px',
      cell: row => row.status === 'RUNNING' && <Cancel campaignId={campaignId} batchId={row.databaseId} />,
    },
  ];
}

function Cancel({ campaignId, batchId }: { campaignId: string; batchId: string }) {
  const { t } = useTranslation();
  const [cancel] = useMutation(CancelBatchDocument, { variables: { campaignId, batchId } });
  return (
    <ConfirmButton
      size="compact-xs"
      variant="default"
      reason={useDisabledReason('campaign:dispatch')}
      title={t('batches.cancelTitle')}
      warning={t('batches.cancelLoses')}
      act={async () => {
        const result = (await cancel()).data?.result;
        return isRefusal(result) ? result.message : null;
      }}
    >
      {t('batches.cancel')}
    </ConfirmButton>
  );
}

/** Dials ten calls at once by hand and shows the switch's reply to each. */
function Dispatch({ campaign }: { campaign: OpenCampaignFragment }) {
  const { t } = useTranslation();
  const [said, setSaid] = useState<string | null>(null);
  const [dispatch, { loading }] = useMutation(DispatchCampaignDocument, {
    variables: { id: campaign.databaseId, limit: 10 },
    onCompleted: ({ result }) => {
      if (isRefusal(result)) setSaid(result.message);
      else if (result) setSaid(t('batches.sent', { submitted: result.submitted, requested: result.requested, why: result.why ?? '' }));
    },
    onError: error => setSaid(error.message),
  });
  return (
    <Group gap="sm">
      <span role="status" className="quiet">
        {said}
      </span>
      <ActButton variant="default" loading={loading} reason={useReasonOf(campaign)('DISPATCH')} act={() => void dispatch()}>
        {t('batches.dispatch')}
      </ActButton>
    </Group>
  );
}
