import { useMutation } from '@apollo/client/react';
import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { formatDateTime } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { useNow } from '../../ui/use-now.ts';
import { CallAgainDocument } from '../do-not-call/never-call.generated.ts';
import { NeverCallButton } from '../do-not-call/never-call-button.tsx';
import type { PersonDoNotCallFragment } from './person.generated.ts';
import styles from './person.module.css';

/** Refresh interval in ms, because an entry may expire while the page is open. */
const LOOK_MS = 10_000;

/** Every view of the number gets the server's new state, including contacts that waited for the entry. */
const READ_AGAIN = { refetchQueries: 'active', awaitRefetchQueries: true } as const;

interface DoNotCallProps {
  number: string;
  entry: PersonDoNotCallFragment | null;
}

/** Whether the number may be dialled, who put it on the do-not-call list, and the buttons that change it. */
export function DoNotCall({ number, entry }: DoNotCallProps) {
  const { t } = useTranslation();
  const isOver = useIsOver(entry);
  const isBarred = entry !== null && !isOver;
  return (
    <section className={`sheet ${styles.sheet} ${styles.list}`} aria-label={t('person.doNotCall')}>
      <div>
        <Title order={2}>
          <span className={isBarred ? 'tone-failed' : 'tone-answered'}>{t(isBarred ? 'person.barred' : 'person.callable')}</span>
        </Title>
        {entry && <Entry entry={entry} isOver={isOver} />}
        {!entry && <Text className="quiet">{t('person.notListed')}</Text>}
      </div>
      {isBarred ? <CallAgainButton number={number} entry={entry} /> : <NeverCallButton number={number} variant="light" color="red" />}
    </section>
  );
}

/** Whether the entry has expired. */
export function useIsOver(entry: PersonDoNotCallFragment | null): boolean {
  const now = useNow(LOOK_MS);
  return entry?.expiresAt != null && new Date(entry.expiresAt).getTime() <= now;
}

interface EntryProps {
  entry: PersonDoNotCallFragment;
  isOver: boolean;
}

/** Author, reason and expiry of the entry. */
export function Entry({ entry: { reason, source, expiresAt, createdAt, createdBy }, isOver }: EntryProps) {
  const { t } = useTranslation();
  const who = createdBy?.displayName ?? t(`person.source.${source}`);
  const end = expiresAt === null ? t('person.forEver') : t(isOver ? 'person.endedAt' : 'person.until', { at: formatDateTime(expiresAt) });
  return (
    <>
      {reason && <Text>{reason}</Text>}
      <Text className="quiet">{`${t('person.listedBy', { who, at: formatDateTime(createdAt) })} · ${end}`}</Text>
    </>
  );
}

/** Takes the number off the list. */
export function CallAgainButton({ number, entry }: { number: string; entry: PersonDoNotCallFragment }) {
  const { t } = useTranslation();
  const reason = useDisabledReason('compliance:write');
  const [remove] = useMutation(CallAgainDocument, READ_AGAIN);
  async function act(): Promise<string | null> {
    const { data } = await remove({ variables: { id: entry.databaseId } });
    if (isRefusal(data?.result)) return data.result.message;
    sayDone(t('person.removed', { number: formatPhone(number) }));
    return null;
  }
  return (
    <ConfirmButton
      variant="default"
      act={act}
      reason={reason}
      title={t('person.removeTitle', { number: formatPhone(number) })}
      warning={t('person.removeLoses')}
    >
      {t('person.remove')}
    </ConfirmButton>
  );
}
