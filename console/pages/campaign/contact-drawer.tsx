import { useQuery } from '@apollo/client/react';
import { Alert, Skeleton, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CallOutcome } from '../../parts/call-outcome.tsx';
import { Notice } from '../../parts/notice.tsx';
import { SideDrawer } from '../../parts/side-drawer.tsx';
import { formatDateTime, formatSeconds } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { ContactStatusText } from './contacts.tsx';
import { ContactDrawerDocument, type ContactDrawerQuery } from './contacts.generated.ts';
import styles from './campaign.module.css';

/** One contact: why it is not dialled now, its calls, and what came with it. */
export function ContactDrawer({ id, close }: { id: string | null; close: () => void }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(ContactDrawerDocument, { variables: { id: id ?? '' }, skip: id === null });
  const contact = data?.contact;
  return (
    <SideDrawer isOpen={id !== null} close={close} title={contact ? `${contact.phoneNumber} ${contact.customerName}` : t('contacts.one')}>
      {error && <Notice error={error} />}
      {!data && !error && <Skeleton height={200} />}
      {data && !contact && <Text>{t('contacts.gone')}</Text>}
      {data && contact && (
        <>
          <Why data={data} />
          <dl className={styles.facts}>
            <dt>{t('contacts.status')}</dt>
            <dd>
              <ContactStatusText status={contact.status} />
            </dd>
            <dt>{t('contacts.attempts')}</dt>
            <dd>{contact.attemptCount}</dd>
            {contact.remark && (
              <>
                <dt>{t('contacts.remark')}</dt>
                <dd>{contact.remark}</dd>
              </>
            )}
            {Object.entries(Object(contact.metadata) as Record<string, unknown>).map(([name, value]) => [
              <dt key={name}>{name}</dt>,
              <dd key={`${name} value`}>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>,
            ])}
          </dl>
          <Calls calls={data.attempts?.nodes ?? []} />
        </>
      )}
    </SideDrawer>
  );
}

function Why({ data: { whyNotDialed: why } }: { data: ContactDrawerQuery }) {
  const { t } = useTranslation();
  const words = useServerWords();
  if (!why) return null;
  return (
    <Alert color="yellow" title={t('contacts.whyNot')} mb="md">
      {words(`notDialledReason.${why.reason}`, why.message)}
      {why.nextEligibleAt && <div className="quiet">{t('contacts.eligibleAt', { at: formatDateTime(why.nextEligibleAt) })}</div>}
    </Alert>
  );
}

type Call = NonNullable<ContactDrawerQuery['attempts']>['nodes'][number];

function Calls({ calls }: { calls: readonly Call[] }) {
  const { t } = useTranslation();
  if (calls.length === 0) return <Text className="quiet">{t('contacts.noCalls')}</Text>;
  return (
    <Table mt="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('calls.startedAt')}</Table.Th>
          <Table.Th>{t('calls.outcome')}</Table.Th>
          <Table.Th>{t('calls.duration')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {calls.map(call => (
          <Table.Tr key={call.id}>
            <Table.Td>
              <Link to={`/calls/${call.databaseId}`}>{formatDateTime(call.startedAt ?? call.createdAt)}</Link>
            </Table.Td>
            <Table.Td>
              <CallOutcome {...call} />
            </Table.Td>
            <Table.Td>{call.durationSeconds === null ? '' : formatSeconds(call.durationSeconds)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
