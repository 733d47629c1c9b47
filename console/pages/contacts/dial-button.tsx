import { useMutation, useQuery } from '@apollo/client/react';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { isRefusal } from '../../api/refusal.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import { usePermissionMissing } from '../../ui/use-disabled-reason.ts';
import { DialContactDocument, DialFromDocument, type OpenContactFragment } from './contacts.generated.ts';

/** Calls the contact by hand: the agent's phone rings first, then the contact's. */
export function DialButton({ contact }: { contact: OpenContactFragment }) {
  const { t } = useTranslation();
  const { may } = useMe();
  const isAgent = may('agent:operate') === true;
  const { data } = useQuery(DialFromDocument, { skip: !isAgent });
  const [dial, { loading }] = useMutation(DialContactDocument);
  const [refused, setRefused] = useState<string | null>(null);
  const agent = data?.myAgent;
  const lacks = usePermissionMissing();
  const reason = !isAgent ? lacks('agent:operate') : agent ? null : t('contacts.noAgent');

  async function call(agentId: string): Promise<void> {
    try {
      const input = { contactId: contact.databaseId };
      const result = (await dial({ variables: { agentId, input } })).data?.result;
      setRefused(isRefusal(result) ? result.message : null);
      if (result && !isRefusal(result)) sayDone(t('contacts.dialled', { number: formatPhone(contact.phoneNumber) }));
    } catch (error) {
      setRefused((error as Error).message);
    }
  }

  return (
    <>
      <ActButton variant="default" loading={loading} reason={reason} act={() => agent && void call(agent.databaseId)}>
        {t('contacts.dial')}
      </ActButton>
      {refused && (
        <Text role="alert" className="tone-failed">
          {refused}
        </Text>
      )}
    </>
  );
}
