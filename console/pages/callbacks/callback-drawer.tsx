import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Text } from '@mantine/core';
import { formatPhone } from '../../text/phone-number.ts';
import { Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import { personPath } from '../../ui/person-path.ts';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { CallbackForm } from './callback-form.tsx';
import { CallbackStatus, personOf } from './callback-words.tsx';
import type { CallbackRowFragment } from './callbacks.generated.ts';

interface DrawerProps {
  /** Null: closed. */
  id: string | null;
  /** The open callback; undefined when it is not among those that are shown. */
  callback: CallbackRowFragment | undefined;
  close: () => void;
}

/** One callback: the customer, the agent, the agreement, and the form that moves it. */
export function CallbackDrawer({ id, callback, close }: DrawerProps) {
  const { t } = useTranslation();
  return (
    <SideDrawer isOpen={id !== null} close={close} title={callback ? personOf(callback) : t('pages.callbacks')} size="md">
      {!callback && <Text>{t('callbacks.gone')}</Text>}
      {callback && (
        <>
          <CallbackFacts callback={callback} />
          {callback.status === 'PROMISED' && <CallbackForm key={callback.id} contact={callback} known={callback} close={close} />}
        </>
      )}
    </SideDrawer>
  );
}

function CallbackFacts({ callback }: { callback: CallbackRowFragment }) {
  const { t } = useTranslation();
  const { contact, campaign, agent, createdBy, createdAt, source, status, note, dueAt } = callback;
  const isOpen = status === 'PROMISED';
  return (
    <Facts
      facts={[
        [t('contacts.status'), <CallbackStatus key="status" callback={callback} />],
        [t('contacts.number'), contact && <Link to={personPath(contact.phoneNumber)}>{formatPhone(contact.phoneNumber)}</Link>],
        [t('calls.campaign'), campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>],
        [t('contacts.callbackWhen'), !isOpen && <Instant key="at" at={dueAt} />],
        [t('callbacks.byAgent'), !isOpen && agent?.name],
        [t('contacts.callbackNote'), !isOpen && note],
        [t('callbacks.promisedBy'), createdBy?.displayName ?? t(`callbackSource.${source}`)],
        [t('callbacks.promisedAt'), <Instant key="at" at={createdAt} />],
      ]}
    />
  );
}
