import { useQuery } from '@apollo/client/react';
import { Table, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../../api/me.ts';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { useRows } from '../../table/use-rows.ts';
import { formatSeconds } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useCallColumns, useCampaignColumn } from '../calls/call-columns.tsx';
import { PersonAgentCallsDocument, type PersonCallFragment, PersonCallsDocument, type PersonCallsQuery } from './person.generated.ts';
import styles from './person.module.css';

const PAGE_ROWS = 100;

const callsOf = ({ person }: PersonCallsQuery) => person?.attempts;

/** Every call of campaigns to the person's numbers, newest first. */
export function Calls({ number }: { number: string }) {
  const { t } = useTranslation();
  const variables = { number, first: PAGE_ROWS };
  const { rows, total, of, isLoading, error, loadMore } = useRows({ document: PersonCallsDocument, variables, sliceOf: callsOf });
  const columns = useColumns();
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
        isLoading={isLoading}
        of={of}
        loadMore={loadMore}
      />
    </section>
  );
}

/** A person may have several numbers, so each call says which it was. */
function useColumns(): Column<PersonCallFragment>[] {
  const { t } = useTranslation();
  const { at, number, outcome, duration, class: classification, recording } = useCallColumns();
  const campaign = useCampaignColumn();
  return useMemo(() => {
    const agents: Column<PersonCallFragment> = {
      key: 'agents',
      header: t('calls.agent'),
      width: '120px',
      cell: row => row.agents.map(({ name }) => name).join(t('person.and')),
    };
    return [at, number, campaign, outcome, duration, classification, agents, recording];
  }, [at, number, campaign, outcome, duration, classification, recording, t]);
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
