import { useQuery } from '@apollo/client/react';
import { Group, Select, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CallOutcome } from '../../parts/call-outcome.tsx';
import type { CallRowFragment } from '../../parts/call-row.generated.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useQueryState } from '../../parts/use-query-state.ts';
import { useSlice } from '../../parts/use-slice.ts';
import { formatDateTime, formatSeconds } from '../../text/format.ts';
import { CampaignCallsDocument } from './calls.generated.ts';

const PAGE_ROWS = 100;
const CALL_STATUSES = [
  'COMPLETED',
  'ANSWERED',
  'NO_ANSWER',
  'BUSY',
  'REJECTED',
  'POWER_OFF',
  'OUT_OF_SERVICE',
  'INVALID_NUMBER',
  'NETWORK_BUSY',
  'VOICEMAIL',
  'CANCELLED',
  'FAILED',
] as const;

/** The campaign's calls, newest first. */
export function Calls({ id }: { id: string }) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useQueryState('outcome');
  const callStatus = CALL_STATUSES.find(status => status === outcome) ?? null;
  const variables = { id, first: PAGE_ROWS, filter: callStatus ? { callStatus } : null };
  const { data, loading, error, fetchMore } = useQuery(CampaignCallsDocument, { variables });
  const { rows, total, loadMore } = useSlice<CallRowFragment>(data?.campaign?.attempts, fetchMore);
  const columns = useCallColumns();
  return (
    <>
      <Group mb="sm" gap="sm">
        <Select
          w={180}
          aria-label={t('calls.outcome')}
          placeholder={t('calls.everyOutcome')}
          clearable
          value={outcome || null}
          onChange={value => setOutcome(value ?? '')}
          data={CALL_STATUSES.map(value => ({ value, label: t(`callStatus.${value}`) }))}
        />
        <Text className="quiet" aria-live="polite">
          {total !== null && t('calls.count', { count: total })}
        </Text>
      </Group>
      {error && <Notice error={error} />}
      <DataTable
        label={t('campaign.callsTab')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={t(outcome ? 'calls.noneFound' : 'calls.none')}
        isLoading={loading}
        loadMore={loadMore}
      />
    </>
  );
}

function useCallColumns(): Column<CallRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'at',
        header: t('calls.startedAt'),
        width: '210px',
        cell: ({ databaseId, startedAt, createdAt }) => <Link to={`/calls/${databaseId}`}>{formatDateTime(startedAt ?? createdAt)}</Link>,
      },
      { key: 'number', header: t('contacts.number'), width: '160px', cell: row => row.phoneNumber },
      { key: 'outcome', header: t('calls.outcome'), width: '120px', cell: row => <CallOutcome {...row} /> },
      {
        key: 'duration',
        header: t('calls.duration'),
        width: '90px',
        isNumber: true,
        cell: row => (row.durationSeconds === null ? '' : formatSeconds(row.durationSeconds)),
      },
      { key: 'class', header: t('calls.classification'), cell: row => row.classification },
      { key: 'by', header: t('calls.hangupBy'), width: '110px', cell: row => row.hangupBy && t(`hangupBy.${row.hangupBy}`) },
      { key: 'caller', header: t('calls.caller'), width: '150px', cell: row => <span className="quiet">{row.callerNumber}</span> },
    ],
    [t],
  );
}
