import { useMutation } from '@apollo/client/react';
import { RetryContactsDocument } from './bulk.generated.ts';
import { type BulkOutcome, ofEachCampaign } from './use-bulk.ts';

interface RetriedContact {
  databaseId: string;
  campaignId: string;
  name: string;
}

/** Puts contacts back into the queues of their campaigns. */
export function useRetryContacts(): (contacts: readonly RetriedContact[]) => Promise<BulkOutcome> {
  const [retry] = useMutation(RetryContactsDocument);
  return contacts =>
    ofEachCampaign(contacts, async (campaignId, contactIds) => {
      const variables = { campaignId, selection: { contactIds: [...contactIds] } };
      return (await retry({ variables })).data?.result;
    });
}
