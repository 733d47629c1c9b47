import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { formatSeconds } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { Instant } from '../../ui/instant.tsx';
import { personPath } from '../../ui/person-path.ts';
import type { AgentDayCallRowFragment } from './agent-day.generated.ts';

type Row = AgentDayCallRowFragment;

/** The calls of the day, and the rings that nobody picked up. */
export function DayCalls({ calls }: { calls: readonly Row[] }) {
  const { t } = useTranslation();
  const columns = useColumns();
  return (
    <section aria-label={t('agentDay.calls')}>
      <Title order={2} mb="xs">
        {t('agentDay.calls')} <span className="quiet">{calls.length}</span>
      </Title>
      <DataTable
        label={t('agentDay.calls')}
        columns={columns}
        rows={calls}
        keyOf={({ callId }) => callId}
        empty={t('agentDay.noCalls')}
        isLoading={false}
      />
    </section>
  );
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation();
  const column = (key: string, width: string, cell: Column<Row>['cell']) => ({ key, header: t(`agentDay.column.${key}`), width, cell });
  return [
    column('at', '168px', ({ startedAt, attemptId, callId }) => (
      <Link to={attemptId === null ? `/agents/calls?open=${callId}` : `/calls/${attemptId}`}>
        <Instant at={startedAt} />
      </Link>
    )),
    column('kind', '110px', ({ direction }) => t(`softphoneDirection.${direction}`)),
    {
      key: 'customer',
      header: t('agentDay.column.customer'),
      cell: ({ customerName, phoneNumber }) => (
        <>
          <Link to={personPath(phoneNumber)}>{formatPhone(phoneNumber)}</Link> <span className="quiet">{customerName}</span>
        </>
      ),
    },
    {
      key: 'campaign',
      header: t('agentDay.column.campaign'),
      cell: ({ campaignId, campaignName }) => campaignId !== null && <Link to={`/campaigns/${campaignId}`}>{campaignName}</Link>,
    },
    column('outcome', '96px', row => <Outcome row={row} />),
    { ...column('talk', '80px', ({ isAnswered, talkSeconds }) => (isAnswered ? formatSeconds(talkSeconds) : '')), isNumber: true },
    { ...column('wrapUp', '80px', ({ wrapUpSeconds }) => (wrapUpSeconds > 0 ? formatSeconds(wrapUpSeconds) : '')), isNumber: true },
    column('disposition', '130px', ({ disposition }) => disposition),
  ];
}

function Outcome({ row: { isAnswered, isMissed } }: { row: Row }) {
  const { t } = useTranslation();
  if (isAnswered) return <span className="tone-answered">{t('agentDay.answered')}</span>;
  return isMissed ? <span className="tone-failed">{t('agentDay.missed')}</span> : <span className="quiet">{t('agentDay.notTalked')}</span>;
}
