import { useQuery } from '@apollo/client/react';
import { Table, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../../api/me.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { formatSeconds } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useCallColumns, useCampaignColumn } from '../calls/call-columns.tsx';
import type { CampaignCallRowFragment } from '../calls/calls.generated.ts';
import { PersonAgentCallsDocument, PersonCallsDocument } from './person.generated.ts';
import styles from './person.module.css';

const PAGE_ROWS = 100;

/** Every campaign call to the number, newest first. */
export function Calls({ number }: { number: string }) {
  const { t } = useTranslation();
  const variables = { first: PAGE_ROWS, filter: { phoneNumber: number } };
  const { data, loading, error, fetchMore } = useQuery(PersonCallsDocument, { variables });
  const { rows, total, loadMore } = useSlice<CampaignCallRowFragment>(data?.attempts, fetchMore);
  const { at, outcome, duration, class: classification, by, caller } = useCallColumns();
  const campaign = useCampaignColumn();
  const columns = useMemo(
    () => [at, campaign, outcome, duration, classification, by, caller],
    [at, campaign, outcome, duration, classification, by, caller],
  );
  return (
    <section aria-label={t('person.calls')}>
      <Title order={2} mb="xs">
        {t('person.calls')} <span className="quiet">{total}</span>
      </Title>
      {error && <Notice error={error} />}
      <DataTable
        label={t('person.calls')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={t('person.noCalls')}
        isLoading={loading}
        loadMore={loadMore}
      />
    </section>
  );
}

/** Calls that agents placed to the number; renders nothing when there are none. */
export function AgentCalls({ number }: { number: string }) {
  const { t } = useTranslation();
  const { may } = useMe();
  const { data } = useQuery(PersonAgentCallsDocument, { variables: { number }, skip: may('agent:operate') !== true });
  const calls = data?.softphoneCalls?.nodes ?? [];
  if (calls.length === 0) return null;
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('person.agentCalls')}>
      <Title order={2} mb="xs">
        {t('person.agentCalls')} <span className="quiet">{data?.softphoneCalls?.totalCount}</span>
      </Title>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Tbody>
            {calls.map(({ id, databaseId, createdAt, direction, agent, callStatus, failureReason, durationSeconds, note }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Link to={`/agents/calls?open=${databaseId}`}>
                    <Instant at={createdAt} />
                  </Link>
                </Table.Td>
                <Table.Td>{t(`softphoneDirection.${direction}`)}</Table.Td>
                <Table.Td>{agent?.name}</Table.Td>
                <Table.Td>{callStatus ? t(`callStatus.${callStatus}`) : failureReason}</Table.Td>
                <Table.Td>{durationSeconds === null ? '' : formatSeconds(durationSeconds)}</Table.Td>
                <Table.Td>
                  <Text className="quiet">{note}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
