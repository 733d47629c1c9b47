import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { formatAge } from '../../text/format.ts';
import { fullTime } from '../../text/zone.ts';
import { CapBar } from '../../ui/cap-bar.tsx';
import type { RuntimeRowFragment, RuntimesFragment } from './runtimes.generated.ts';

/** The runtimes that speak in answered calls: load and last heartbeat of each. */
export function Runtimes({ now: { runtimes, runtimeMode, hasUnregistered } }: { now: RuntimesFragment }) {
  const { t } = useTranslation();
  const columns = useColumns();
  return (
    <section>
      <Title order={2} mb="xs">
        {t('cells.runtimes')}
      </Title>
      <p className="quiet">{t(`runtimeMode.${runtimeMode}`)}</p>
      {hasUnregistered && <p className="tone-waiting">{t('cells.unregistered')}</p>}
      <DataTable
        label={t('cells.runtimes')}
        columns={columns}
        rows={runtimes}
        keyOf={({ id }) => id}
        empty={t(runtimeMode === 'NATS' && !hasUnregistered ? 'cells.noRuntime' : 'cells.noRuntimeNeeded')}
        isLoading={false}
      />
    </section>
  );
}

function useColumns(): Column<RuntimeRowFragment>[] {
  const { t } = useTranslation();
  return [
    { key: 'name', header: t('cells.runtime'), cell: ({ name, version }) => `${name} ${version}` },
    { key: 'id', header: t('cells.process'), cell: ({ runtimeId }) => <span className="quiet">{runtimeId}</span> },
    { key: 'state', header: t('noun.state'), width: '180px', cell: runtime => <RuntimeState runtime={runtime} /> },
    {
      key: 'heard',
      header: t('cells.heartbeat'),
      width: '150px',
      cell: ({ ageSeconds, lastSeenAt }) => <span title={fullTime(lastSeenAt)}>{formatAge(0, ageSeconds * 1_000)}</span>,
    },
    {
      key: 'use',
      header: t('cells.places'),
      width: '200px',
      cell: ({ runtimeId, calls, maxCalls }) => <CapBar name="" label={runtimeId} active={calls} cap={maxCalls} />,
    },
    {
      key: 'businesses',
      header: t('cells.businesses'),
      cell: ({ businessCodes }) => businessCodes?.join(', ') ?? <span className="quiet">{t('cells.allBusinesses')}</span>,
    },
  ];
}

function RuntimeState({ runtime: { isGone, isDraining } }: { runtime: RuntimeRowFragment }) {
  const { t } = useTranslation();
  if (isGone) return <span className="tone-failed">{t('cells.isGone')}</span>;
  if (isDraining) return <span className="tone-waiting">{t('cells.isDraining')}</span>;
  return <span className="tone-answered">{t('cells.isThere')}</span>;
}
