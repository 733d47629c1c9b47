import { useQuery } from '@apollo/client/react';
import { Skeleton, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EnabledChip, OpenLink } from '../../form/noun-page.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { CapBar } from '../../ui/cap-bar.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Runtimes } from '../runtimes/runtimes.tsx';
import { CellDrawer, CellStateText } from './cell-drawer.tsx';
import { type CellRowFragment, CellsDocument } from './cells.generated.ts';
import styles from './cells.module.css';

/** Refresh interval of the cells' load, in ms. */
const LOOK_MS = 3_000;

/** The switches that carry the calls, and the runtimes that speak in them. */
export function CellsPage() {
  const { t } = useTranslation();
  const { data, error, loading } = useQuery(CellsDocument, { pollInterval: LOOK_MS });
  const columns = useColumns();
  const now = data?.runtimeOverview;
  if (!now) return error ? <Notice error={error} /> : <Skeleton height={240} />;
  return (
    <div className={styles.stack}>
      {error && <Notice error={error} />}
      <section>
        <Title order={2} mb="xs">
          {t('cells.switches')}
        </Title>
        <p className="quiet">{t('cells.about')}</p>
        <DataTable
          label={t('cells.switches')}
          columns={columns}
          rows={now.cells}
          keyOf={({ id }) => id}
          empty={t('cells.none')}
          isLoading={loading}
        />
      </section>
      <Runtimes now={now} />
      <CellDrawer cells={now.cells} recordings={data?.recordingHealth?.cells ?? []} />
    </div>
  );
}

function useColumns(): Column<CellRowFragment>[] {
  const { t } = useTranslation();
  return [
    { key: 'cell', header: t('cells.cell'), cell: ({ cellId }) => <OpenLink id={cellId}>{cellId}</OpenLink> },
    { key: 'answers', header: t('cells.answers'), width: '170px', cell: ({ state }) => <CellStateText state={state} /> },
    { key: 'state', header: t('noun.state'), width: '120px', cell: ({ isEnabled }) => <EnabledChip isEnabled={isEnabled} /> },
    {
      key: 'use',
      header: t('cells.channels'),
      width: '240px',
      cell: ({ cellId, active, maxConcurrency }) => <CapBar name="" label={cellId} active={active} cap={maxConcurrency} />,
    },
  ];
}
