import { useQuery } from '@apollo/client/react';
import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NeverCallButton } from '../do-not-call/never-call-button.tsx';
import { ContactNumberDocument, type PersonDoNotCallFragment } from './person.generated.ts';
import { CallAgainButton, Entry, useIsOver } from './person-do-not-call.tsx';

/** Refresh interval in ms, because others change the list too. */
const LOOK_MS = 10_000;

/** The entry that bars the number from every campaign; null: none, or it has expired. */
function useListed(number: string): PersonDoNotCallFragment | null {
  const { data } = useQuery(ContactNumberDocument, { variables: { number }, pollInterval: LOOK_MS });
  const entry = data?.person?.doNotCall ?? null;
  return useIsOver(entry) ? null : entry;
}

/** Says that a contact's number is on the do-not-call list; a contact that was reached has no other reason to say so. */
export function Listed({ number, isNamed }: { number: string; isNamed: boolean }) {
  const { t } = useTranslation();
  const entry = useListed(number);
  if (entry === null) return null;
  return (
    <Alert color="red" mb="md" {...(!isNamed && { title: t('notDialledReason.DNC') })}>
      <Entry entry={entry} isOver={false} />
    </Alert>
  );
}

/** Puts the contact's number on the do-not-call list, or takes it off. */
export function ListButton({ number }: { number: string }) {
  const entry = useListed(number);
  return entry === null ? <NeverCallButton number={number} variant="default" /> : <CallAgainButton number={number} entry={entry} />;
}
