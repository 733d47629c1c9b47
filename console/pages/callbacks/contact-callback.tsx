import { useQuery } from '@apollo/client/react';
import { Skeleton } from '@mantine/core';
import { CallbackForm } from './callback-form.tsx';
import { PromisedCallbackDocument } from './callbacks.generated.ts';

/** The promise of one contact, to be made, moved or cancelled beside the contact. */
export function ContactCallback({ campaignId, contactId, close }: { campaignId: string; contactId: string; close: () => void }) {
  const { data } = useQuery(PromisedCallbackDocument, { variables: { contactId }, fetchPolicy: 'network-only' });
  if (!data) return <Skeleton height={200} />;
  const known = data.callbacks?.nodes[0] ?? null;
  return <CallbackForm contact={{ campaignId, contactId }} known={known} close={close} />;
}
