import { useQuery } from '@apollo/client/react';
import { Button, Skeleton, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { WatchedCall } from '../../live/call-changes.ts';
import { isOver } from '../../live/call-order.ts';
import { useCall } from '../../live/use-calls.ts';
import { formatDateTime, formatSeconds } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import { personPath } from '../../ui/person-path.ts';
import { ContactCallback } from '../callbacks/contact-callback.tsx';
import { CallClass, CallOutcome } from '../calls/call-words.tsx';
import { useContactResults } from '../results/contact-results.tsx';
import { DeskCustomerDocument, type DeskCustomerQuery } from './customer.generated.ts';
import type { DeskAgentCallFragment } from './desk.generated.ts';
import styles from './desk.module.css';
import { valuesOf } from './values.ts';

interface CardProps {
  /** The call that is shown; absent or empty: none. */
  callKey: string | undefined;
  /** The user's own call, which may have left the live ones. */
  own: WatchedCall | undefined;
  agentCall: DeskAgentCallFragment | null;
}

/** The customer on the line: variables, earlier calls and results of this call. */
export function CustomerOfCall({ callKey = '', own, agentCall }: CardProps) {
  const live = useCall(callKey);
  const call = live ?? (own?.callKey === callKey ? own : undefined);
  if (call) {
    const { contactId, attemptId, phoneNumber } = call;
    return <Customer key={callKey} contactId={contactId} attemptId={attemptId} phoneNumber={phoneNumber} isOver={isOver(call)} />;
  }
  if (callKey || !agentCall?.contactId) return null;
  const { contactId, phoneNumber } = agentCall;
  return <Customer key={agentCall.id} contactId={contactId} attemptId="" phoneNumber={phoneNumber} isOver={false} />;
}

interface CustomerProps {
  contactId: string;
  /** Empty for a call of the agent's own. */
  attemptId: string;
  phoneNumber: string;
  isOver: boolean;
}

/** Refresh interval in ms: the result is reported when the call ends. */
const LOOK_MS = 4_000;

function Customer({ contactId, attemptId, phoneNumber, isOver: isEnded }: CustomerProps) {
  const { t } = useTranslation();
  const isCall = attemptId !== '';
  const variables = { contactId, attemptId: isCall ? attemptId : '1', isCall, phoneNumber };
  const { data } = useQuery(DeskCustomerDocument, {
    variables,
    pollInterval: isEnded || isCall ? LOOK_MS : 0,
    fetchPolicy: 'network-only',
  });
  return (
    <section className={`sheet ${styles.box}`} aria-label={t('desk.customer')}>
      <Title order={2}>{t('desk.customer')}</Title>
      {data ? <Known data={data} attemptId={attemptId} /> : <Skeleton height={160} />}
    </section>
  );
}

function Known({ data: { contact, attempt, earlier }, attemptId }: { data: DeskCustomerQuery; attemptId: string }) {
  const { t } = useTranslation();
  const before = (earlier?.nodes ?? []).filter(({ databaseId }) => databaseId !== attemptId);
  const found = valuesOf(attempt?.payload);
  const results = useContactResults();
  return (
    <>
      {contact && (
        <>
          <Text fw={600}>
            <Link to={personPath(contact.phoneNumber)}>
              {[contact.customerName, formatPhone(contact.phoneNumber)].filter(Boolean).join(' ')}
            </Link>
          </Text>
          <Facts
            facts={[
              ...valuesOf(contact.metadata),
              ...results(contact.resultFields),
              [t('desk.remark'), contact.remark],
              [t('contacts.callbackWhen'), contact.callbackAt && <Instant key="at" at={contact.callbackAt} />],
            ]}
          />
          <PromiseCallback campaignId={contact.campaignId} contactId={contact.databaseId} />
        </>
      )}
      {attempt && (attempt.classification || found.length > 0) && (
        <>
          <h3 className={styles.part}>{t('desk.result')}</h3>
          {attempt.classification && <CallClass {...attempt} />}
          <Facts facts={found} />
        </>
      )}
      <h3 className={styles.part}>{t('desk.earlier')}</h3>
      {before.length === 0 && <Text className="quiet">{t('desk.noEarlier')}</Text>}
      <Earlier calls={before} />
    </>
  );
}

type EarlierCall = NonNullable<DeskCustomerQuery['earlier']>['nodes'][number];

function Earlier({ calls }: { calls: readonly EarlierCall[] }) {
  return (
    <ol className={styles.list}>
      {calls.map(({ id, databaseId, startedAt, durationSeconds, campaign, ...call }) => (
        <li key={id}>
          <span>
            <Link to={`/calls/${databaseId}`}>{startedAt ? formatDateTime(startedAt) : campaign?.name}</Link>
            <Text size="xs" className="quiet" component="div">
              <CallClass {...call} /> {campaign?.name}
            </Text>
          </span>
          <span className={styles.end}>
            <CallOutcome {...call} />
            {durationSeconds ? <div className="quiet">{formatSeconds(durationSeconds)}</div> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The promise of another call, made during this one. */
function PromiseCallback({ campaignId, contactId }: { campaignId: string; contactId: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <ContactCallback campaignId={campaignId} contactId={contactId} close={() => setOpen(false)} />;
  return (
    <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
      {t('contacts.callback')}
    </Button>
  );
}
