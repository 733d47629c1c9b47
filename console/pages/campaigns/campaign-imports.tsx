import { Group, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { formatCount } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import type { OpenCampaignFragment } from './campaign.generated.ts';
import { TakeList } from '../lists/take-list.tsx';
import { useReasonOf } from './campaign-head.tsx';

type Moment = OpenCampaignFragment['history'][number];

/** Results of each import and of each addition of contacts. */
export function Imports({ campaign }: { campaign: OpenCampaignFragment }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const rows = campaign.history.filter(({ rows: given }) => given !== null);
  const count = (name: keyof NonNullable<Moment['rows']>) => (row: Moment) => {
    const value = row.rows?.[name];
    return typeof value === 'number' ? formatCount(value) : '';
  };
  const columns: Column<Moment>[] = [
    { key: 'at', header: t('batches.at'), width: '200px', cell: row => <Instant at={row.at} /> },
    { key: 'by', header: t('batches.by'), width: '160px', cell: row => row.by },
    { key: 'kind', header: t('batches.way'), width: '110px', cell: row => t(`batches.kind.${row.kind}`) },
    { key: 'total', header: t('import.totalRows'), width: '90px', isNumber: true, cell: count('totalRows') },
    { key: 'created', header: t('import.createdRows'), width: '90px', isNumber: true, cell: count('createdRows') },
    { key: 'duplicate', header: t('import.duplicateRows'), width: '90px', isNumber: true, cell: count('duplicateRows') },
    { key: 'failed', header: t('import.failedRows'), width: '130px', isNumber: true, cell: count('failedRows') },
  ];
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('batches.imports')}</Title>
        <ActButton
          variant="default"
          reason={useReasonOf(campaign)('IMPORT_CONTACTS')}
          act={() => void navigate(`/campaigns/${campaign.databaseId}/import`)}
        >
          {t('pages.import')}
        </ActButton>
      </Group>
      <DataTable
        label={t('batches.imports')}
        columns={columns}
        rows={rows}
        keyOf={row => row.at}
        empty={t('batches.noImports')}
        isLoading={false}
      />
      <TakeList campaignId={campaign.databaseId} />
    </section>
  );
}
