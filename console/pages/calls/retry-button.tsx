import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { type Bulk, ofEachCampaign } from '../../table/use-bulk.ts';
import { formatCount } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { RetryContactsDocument } from './retry.generated.ts';

interface RetryButtonProps {
  /** Contacts to retry; a contact that appears more than once is queued once. */
  contacts: readonly { databaseId: string; campaignId: string; phoneNumber: string }[];
  bulk: Bulk;
}

/** Puts contacts back into the queues of their campaigns. */
export function RetryButton({ contacts, bulk }: RetryButtonProps) {
  const { t } = useTranslation();
  const [retry] = useMutation(RetryContactsDocument);
  const count = new Set(contacts.map(({ databaseId }) => databaseId)).size;
  const run = () =>
    ofEachCampaign(
      contacts.map(contact => ({ ...contact, name: formatPhone(contact.phoneNumber) })),
      async (campaignId, contactIds) => {
        const variables = { campaignId, selection: { contactIds: [...contactIds] } };
        return (await retry({ variables })).data?.result;
      },
    );
  return (
    <ConfirmButton
      size="xs"
      variant="default"
      reason={useDisabledReason('campaign:dispatch')}
      title={t('contacts.retryTitle', { count, shown: formatCount(count) })}
      warning={t('contacts.retryLoses')}
      act={() => bulk.run(run)}
    >
      {t('contacts.retry')}
    </ConfirmButton>
  );
}
