import { useMutation, useQuery } from '@apollo/client/react';
import { Checkbox, Select, Table, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../../api/me.ts';
import { Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { formatSeconds } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { CallOutcome } from '../calls/call-words.tsx';
import type { CampaignHeadFragment } from './campaign.generated.ts';
import {
  OwnAgentDocument,
  PlaceTestCallDocument,
  TestCallDocument,
  TestCallsDocument,
  TestedContactDocument,
} from './test-call.generated.ts';

/** Refresh interval of the list of test calls, in ms. */
const LOOK_MS = 3_000;
/** Value of the URL's member when the drawer is open and no contact is chosen. */
const ANYBODY = 'any';

interface TestCallButtonProps {
  campaign: CampaignHeadFragment;
  /** Why nobody may test now; null when it is possible. */
  reason: string | null;
}

/** Opens a drawer in which users ring their own phone with the campaign's script. The URL keeps it open, with the chosen contact. */
export function TestCallButton({ campaign, reason }: TestCallButtonProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useQueryState('test');
  return (
    <>
      <ActButton variant="default" reason={reason} act={() => setChosen(ANYBODY)}>
        {t('testCall.open')}
      </ActButton>
      <SideDrawer isOpen={chosen !== ''} close={() => setChosen('')} title={t('testCall.title', { name: campaign.name })}>
        <Text className="quiet" mb="md">
          {t('testCall.about')}
        </Text>
        <TestCallForm
          campaignId={campaign.databaseId}
          contactId={chosen === ANYBODY ? null : chosen}
          choose={id => setChosen(id ?? ANYBODY)}
          close={() => setChosen('')}
          reason={reason}
        />
        <TestCalls campaignId={campaign.databaseId} />
      </SideDrawer>
    </>
  );
}

interface TestCallFormProps {
  campaignId: string;
  contactId: string | null;
  choose: (contactId: string | null) => void;
  close: () => void;
  /** Why nobody may test now; null when it is possible. */
  reason: string | null;
}

function TestCallForm({ campaignId, contactId, choose, close, reason }: TestCallFormProps) {
  const { t } = useTranslation();
  const { may } = useMe();
  const { data: own } = useQuery(OwnAgentDocument, { skip: may('agent:operate') !== true });
  const extension = own?.myAgent?.phoneExtension;
  const [place] = useMutation(PlaceTestCallDocument, { refetchQueries: [TestCallsDocument] });
  const form = useForm({
    initial: { phoneNumber: '', isOwnPhone: false },
    send: async ({ phoneNumber, isOwnPhone }) => {
      const target = isOwnPhone ? { ownPhone: true } : { phoneNumber: phoneNumber.trim() };
      return (await place({ variables: { campaignId, contactId: contactId ?? '', ...target } })).data?.result;
    },
    done: () => sayDone(t('testCall.ringing')),
  });
  const { values, set, errorOf } = form;
  return (
    <Form form={form} action={t('testCall.call')} cancel={close} disabledReason={reason}>
      <ContactSelect campaignId={campaignId} contactId={contactId} choose={choose} />
      {extension && (
        <Checkbox
          label={t('testCall.ownPhone', { extension })}
          checked={values.isOwnPhone}
          onChange={event => set({ isOwnPhone: event.currentTarget.checked })}
        />
      )}
      <TextInput
        type="tel"
        label={t('testCall.number')}
        description={t('testCall.numberAbout')}
        required={!values.isOwnPhone}
        disabled={values.isOwnPhone}
        maxLength={64}
        value={values.phoneNumber}
        error={errorOf('phoneNumber')}
        onChange={event => set({ phoneNumber: event.currentTarget.value })}
      />
    </Form>
  );
}

/** Contacts of the campaign, newest first, found by number or name. */
function ContactSelect({ campaignId, contactId, choose }: Pick<TestCallFormProps, 'campaignId' | 'contactId' | 'choose'>) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const { data, previousData } = useQuery(TestCallDocument, { variables: { campaignId, search } });
  const { data: tested } = useQuery(TestedContactDocument, { variables: { id: contactId ?? '' }, skip: contactId === null });
  const found = (data ?? previousData)?.contacts?.nodes ?? [];
  const chosen = tested?.contact && tested.contact.databaseId === contactId ? [tested.contact] : [];
  const choices = [...chosen, ...found.filter(({ databaseId }) => databaseId !== contactId)];
  return (
    <Select
      label={t('testCall.contact')}
      description={t('testCall.contactAbout')}
      required
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      value={contactId}
      onChange={choose}
      filter={({ options }) => options}
      nothingFoundMessage={t('testCall.noContact')}
      data={choices.map(({ databaseId, phoneNumber, customerName }) => ({
        value: databaseId,
        label: [customerName, formatPhone(phoneNumber)].filter(Boolean).join(' '),
      }))}
    />
  );
}

function TestCalls({ campaignId }: { campaignId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(TestCallsDocument, { variables: { campaignId }, pollInterval: LOOK_MS });
  const calls = data?.attempts?.nodes ?? [];
  if (calls.length === 0) return null;
  return (
    <section aria-label={t('testCall.latest')}>
      <Title order={2} mt="lg" mb="xs">
        {t('testCall.latest')}
      </Title>
      <Table>
        <Table.Tbody>
          {calls.map(call => (
            <Table.Tr key={call.id}>
              <Table.Td>
                <Link to={`/calls/${call.databaseId}`}>
                  <Instant at={call.startedAt ?? call.createdAt} />
                </Link>
              </Table.Td>
              <Table.Td>{formatPhone(call.phoneNumber)}</Table.Td>
              <Table.Td>{call.contact?.customerName}</Table.Td>
              <Table.Td>
                <CallOutcome {...call} />
              </Table.Td>
              <Table.Td>{call.durationSeconds === null ? '' : formatSeconds(call.durationSeconds)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
