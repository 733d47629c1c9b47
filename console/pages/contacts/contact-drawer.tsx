import { useQuery } from '@apollo/client/react';
import { Alert, Group, Skeleton, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { formatDateTime, formatSeconds } from '../../text/format.ts';
import { useNotDialledWords } from '../../text/not-dialled-words.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { CustomersTime } from '../../ui/customers-time.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { personPath } from '../../ui/person-path.ts';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { ContactCallback } from '../callbacks/contact-callback.tsx';
import { CallOutcome } from '../calls/call-words.tsx';
import { useContactResults } from '../results/contact-results.tsx';
import { ListButton, Listed } from './contact-do-not-call.tsx';
import { ContactForm } from './contact-form.tsx';
import { NumberList } from './contact-numbers.tsx';
import { ContactStatusText } from './contact-status.tsx';
import { ContactDrawerDocument, type ContactDrawerQuery, type OpenContactFragment } from './contacts.generated.ts';
import { DialButton } from './dial-button.tsx';

/** Refresh interval while a call to the contact goes on, in ms. */
const LOOK_MS = 5_000;

interface ContactDrawerProps {
  id: string | null;
  close: () => void;
  changed: () => void;
}

/** One contact: why it is not dialled now, its data, its actions and its calls. */
export function ContactDrawer({ id, close, changed }: ContactDrawerProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(ContactDrawerDocument, {
    variables: { id: id ?? '' },
    skip: id === null,
    pollInterval: LOOK_MS,
  });
  const contact = data?.contact;
  const readAgain = () => {
    void refetch();
    changed();
  };
  return (
    <SideDrawer
      isOpen={id !== null}
      close={close}
      title={contact ? `${formatPhone(contact.phoneNumber)} ${contact.customerName}` : t('contacts.one')}
    >
      {error && <Notice error={error} />}
      {!data && !error && <Skeleton height={200} />}
      {data && !contact && <Text>{t('contacts.gone')}</Text>}
      {data && contact && (
        <>
          <Why data={data} />
          <Listed number={contact.phoneNumber} isNamed={data.whyNotDialed?.reason === 'DNC'} />
          <Contact key={contact.id} contact={contact} changed={readAgain} />
          <Calls calls={data.attempts?.nodes ?? []} />
        </>
      )}
    </SideDrawer>
  );
}

function Contact({ contact, changed }: { contact: OpenContactFragment; changed: () => void }) {
  const { t } = useTranslation();
  const [isEdited, setEdited] = useState(false);
  const [isPromising, setPromising] = useState(false);
  const navigate = useNavigate();
  const lacks = useDisabledReason('contact:write');
  const mayDispatch = useDisabledReason('campaign:dispatch');
  const isArchived = contact.campaign?.status === 'ARCHIVED' ? t('contacts.archived') : null;
  if (isEdited) {
    return (
      <ContactForm
        contact={contact}
        cancel={() => setEdited(false)}
        done={() => {
          setEdited(false);
          changed();
        }}
      />
    );
  }
  if (isPromising) {
    return (
      <ContactCallback
        campaignId={contact.campaignId}
        contactId={contact.databaseId}
        close={() => {
          setPromising(false);
          changed();
        }}
      />
    );
  }
  return (
    <>
      <ContactFacts contact={contact} />
      <Group mt="md" gap="sm">
        <ActButton variant="default" reason={lacks ?? isArchived} act={() => setEdited(true)}>
          {t('contacts.edit')}
        </ActButton>
        <DialButton contact={contact} />
        <ActButton variant="default" reason={lacks ?? isArchived} act={() => setPromising(true)}>
          {t(contact.callbackAt ? 'contacts.callbackMove' : 'contacts.callback')}
        </ActButton>
        <ActButton
          variant="default"
          reason={mayDispatch ?? isArchived}
          act={() => void navigate(`/campaigns/${contact.campaignId}?test=${contact.databaseId}`)}
        >
          {t('testCall.open')}
        </ActButton>
        <ListButton number={contact.phoneNumber} />
      </Group>
    </>
  );
}

function ContactFacts({ contact }: { contact: OpenContactFragment }) {
  const { t } = useTranslation();
  const { campaign, numbers, externalId, status, attemptCount, priority, remark, zones, zoneSource, metadata, createdAt, updatedAt } =
    contact;
  const variables = Object.entries(Object(metadata) as Record<string, unknown>);
  const results = useContactResults();
  return (
    <Facts
      facts={[
        [
          t('contacts.number'),
          <Link key="number" to={personPath(contact.phoneNumber)} title={t('call.person')}>
            {formatPhone(contact.phoneNumber)}
          </Link>,
        ],
        [
          t('contacts.numbers.title'),
          (numbers.length > 1 || numbers.some(({ extension }) => extension !== '')) && (
            <NumberList key="numbers" numbers={numbers} next={status === 'COMPLETED' ? null : contact.phoneNumber} />
          ),
        ],
        [t('contacts.externalId'), externalId],
        [t('calls.campaign'), campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>],
        [t('contacts.status'), <ContactStatusText key="status" status={status} retryAt={contact.retryAt} />],
        [t('contacts.callbackAt'), contact.callbackAt && <CallbackAt key="at" zones={zones} at={contact.callbackAt} />],
        [t('contacts.attempts'), attemptCount],
        [t('contacts.priority'), priority],
        [t('contacts.zone'), t('contacts.zonesBy', { zones: zones.join('、'), source: t(`zoneSource.${zoneSource}`) })],
        [t('contacts.remark'), remark],
        ...results(contact.resultFields),
        ...variables.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const),
        [t('contacts.created'), <Instant key="at" at={createdAt} />],
        [t('contacts.updated'), <Instant key="at" at={updatedAt} />],
      ]}
    />
  );
}

function CallbackAt({ zones, at }: { zones: readonly string[]; at: string }) {
  return (
    <>
      <Instant at={at} />
      <CustomersTime zones={zones} at={Date.parse(at)} />
    </>
  );
}

function Why({ data: { whyNotDialed: why, contact } }: { data: ContactDrawerQuery }) {
  const { t } = useTranslation();
  const words = useNotDialledWords();
  if (!why) return null;
  return (
    <Alert color="yellow" title={t('contacts.whyNot')} mb="md">
      {words(why)}
      {why.since && <div className="quiet">{t('contacts.since', { at: formatDateTime(why.since) })}</div>}
      {why.nextEligibleAt && <div className="quiet">{t('contacts.eligibleAt', { at: formatDateTime(why.nextEligibleAt) })}</div>}
      {why.nextEligibleAt && <CustomersTime zones={contact?.zones ?? []} at={Date.parse(why.nextEligibleAt)} />}
    </Alert>
  );
}

type Call = NonNullable<ContactDrawerQuery['attempts']>['nodes'][number];

function Calls({ calls }: { calls: readonly Call[] }) {
  const { t } = useTranslation();
  if (calls.length === 0)
    return (
      <Text className="quiet" mt="md">
        {t('contacts.noCalls')}
      </Text>
    );
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
              <Link to={`/calls/${call.databaseId}`}>
                <Instant at={call.startedAt ?? call.createdAt} />
              </Link>
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
