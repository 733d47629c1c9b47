import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { DateRange, RANGE_NAMES, useDateRange } from '../../table/date-range.tsx';
import { ChoiceFilter, FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { formatSeconds } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { personPath } from '../../ui/person-path.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { AgentCallDrawer } from './agent-call-drawer.tsx';
import { AgentCallStatus } from './agent-call-status.tsx';
import { type AgentCallRowFragment, AgentCallsDocument, CallingAgentsDocument } from './agent-calls.generated.ts';

const PAGE_ROWS = 200;
/** Refresh interval of the list, in ms. */
const LOOK_MS = 5_000;
const DIRECTIONS = ['SESSION', 'MANUAL_CALL', 'CALLBACK', 'TRANSFER', 'CONFERENCE'] as const;
const STATUSES = ['CREATED', 'RINGING', 'DIALING', 'ANSWERED', 'COMPLETED', 'FAILED'] as const;

/** Calls placed by agents, browser-phone sessions included. Without `campaign:dispatch` users see only their own. */
export function AgentCallsPage() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const [open, setOpen] = useQueryState('open');
  const number = useSearch('number');
  const range = useDateRange();
  const variables = {
    ...range,
    first: PAGE_ROWS,
    phoneNumber: number,
    agentId: query.get('agent'),
    direction: DIRECTIONS.find(direction => direction === query.get('direction')) ?? null,
    status: STATUSES.find(status => status === query.get('status')) ?? null,
  };
  const { data, previousData, loading, error, fetchMore, refetch } = useQuery(AgentCallsDocument, { variables, pollInterval: LOOK_MS });
  const { data: choices } = useQuery(CallingAgentsDocument);
  const { rows, total, loadMore } = useSlice<AgentCallRowFragment>((data ?? previousData)?.softphoneCalls, fetchMore);
  const columns = useColumns(setOpen);
  const isFiltered = ['number', 'agent', 'direction', 'status', ...RANGE_NAMES].some(name => query.has(name));
  return (
    <>
      <FilterBar count={total === null ? null : t('agentCalls.count', { count: total })}>
        <DateRange />
        <SearchField name="number" label={t('calls.number')} />
        <ChoiceFilter
          name="direction"
          label={t('agentCalls.direction')}
          choices={DIRECTIONS.map(value => ({ value, label: t(`softphoneDirection.${value}`) }))}
        />
        <ChoiceFilter
          name="status"
          label={t('agentCalls.status')}
          choices={STATUSES.map(value => ({ value, label: t(`softphoneStatus.${value}`) }))}
        />
        <ChoiceFilter
          name="agent"
          label={t('calls.agent')}
          choices={(choices?.agents ?? []).map(({ databaseId, name }) => ({ value: databaseId, label: name }))}
        />
      </FilterBar>
      {error && <Notice error={error} />}
      <DataTable
        label={t('pages.agentCalls')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={isFiltered ? <NoneFound>{t('calls.noneFound')}</NoneFound> : t('agentCalls.none')}
        isLoading={loading}
        loadMore={loadMore}
      />
      <AgentCallDrawer id={open || null} close={() => setOpen('')} changed={() => void refetch()} />
    </>
  );
}

function useColumns(open: (id: string) => void): Column<AgentCallRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'at',
        header: t('agentCalls.at'),
        width: '232px',
        cell: ({ databaseId, createdAt }) => (
          <button type="button" className="link" onClick={() => open(databaseId)}>
            <Instant at={createdAt} />
          </button>
        ),
      },
      { key: 'agent', header: t('calls.agent'), width: '130px', cell: ({ agent }) => agent?.name },
      { key: 'direction', header: t('agentCalls.direction'), width: '130px', cell: row => t(`softphoneDirection.${row.direction}`) },
      {
        key: 'number',
        header: t('contacts.number'),
        width: '150px',
        cell: ({ phoneNumber }) => phoneNumber && <Link to={personPath(phoneNumber)}>{formatPhone(phoneNumber)}</Link>,
      },
      {
        key: 'campaign',
        header: t('calls.campaign'),
        cell: ({ campaign }) => campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>,
      },
      { key: 'status', header: t('agentCalls.status'), width: '110px', cell: ({ status }) => <AgentCallStatus status={status} /> },
      {
        key: 'duration',
        header: t('calls.duration'),
        width: '100px',
        isNumber: true,
        cell: ({ durationSeconds }) => (durationSeconds === null ? '' : formatSeconds(durationSeconds)),
      },
    ],
    [t, open],
  );
}
