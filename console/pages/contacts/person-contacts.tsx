import { Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDateTime } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { CallbackButton } from '../callbacks/callback-button.tsx';
import type { PersonContactFragment } from './person.generated.ts';
import styles from './person.module.css';

/** The number in each campaign that contains it, with its status there. */
export function Contacts({ contacts }: { contacts: readonly PersonContactFragment[] }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('person.contacts')}>
      <Title order={2} mb="xs">
        {t('person.contacts')}
      </Title>
      {contacts.length === 0 ? (
        <Text className="quiet">{t('person.noContacts')}</Text>
      ) : (
        <Table.ScrollContainer minWidth={640}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {['campaign', 'name', 'status', 'attempts', 'waitsFor', 'created', 'acts'].map(name => (
                  <Table.Th key={name}>{t(`person.contact.${name}`)}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {contacts.map(contact => (
                <Row key={contact.id} contact={contact} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}

function Row({
  contact: { databaseId, campaign, customerName, status, attemptCount, retryAt, holdReason, holdUntil, createdAt },
}: {
  contact: PersonContactFragment;
}) {
  const { t } = useTranslation();
  const waitsFor = holdReason
    ? t(`notDialledReason.${holdReason.toUpperCase()}`)
    : retryAt
      ? t('contacts.retryAt', { at: formatDateTime(retryAt) })
      : '';
  return (
    <Table.Tr>
      <Table.Td>
        {campaign && <Link to={`/campaigns/${campaign.databaseId}?tab=contacts&contact=${databaseId}`}>{campaign.name}</Link>}
      </Table.Td>
      <Table.Td>{customerName}</Table.Td>
      <Table.Td>{t(`contactStatus.${status}`)}</Table.Td>
      <Table.Td>{attemptCount}</Table.Td>
      <Table.Td className="quiet">
        {waitsFor} {holdUntil && <Instant at={holdUntil} />}
      </Table.Td>
      <Table.Td className="quiet">
        <Instant at={createdAt} />
      </Table.Td>
      <Table.Td>
        {campaign && campaign.status !== 'ARCHIVED' && (
          <CallbackButton campaignId={campaign.databaseId} contactId={databaseId} title={`${campaign.name} · ${customerName}`} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
