import { useMutation, useQuery } from '@apollo/client/react';
import { Group, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { instantOf, localOf } from '../../text/local-time.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import {
  CancelCallbackDocument,
  type OpenContactFragment,
  PromiseCallbackDocument,
  PromisedCallbackDocument,
  type PromisedCallbackQuery,
} from './contacts.generated.ts';

interface CallbackFormProps {
  contact: OpenContactFragment;
  close: () => void;
}

/** Promises a contact a call, or moves or cancels the one that it was promised. */
export function CallbackForm({ contact, close }: CallbackFormProps) {
  const { data } = useQuery(PromisedCallbackDocument, { variables: { contactId: contact.databaseId }, fetchPolicy: 'network-only' });
  if (!data) return <Skeleton height={200} />;
  return <PromiseForm contact={contact} known={data.callbacks?.nodes[0] ?? null} close={close} />;
}

type Known = NonNullable<PromisedCallbackQuery['callbacks']>['nodes'][number];

function PromiseForm({ contact, known, close }: CallbackFormProps & { known: Known | null }) {
  const { t } = useTranslation();
  const [promise] = useMutation(PromiseCallbackDocument);
  const { campaignId, databaseId: contactId } = contact;
  const form = useForm({
    initial: { dueAt: localOf(known?.dueAt ?? null), note: known?.note ?? '' },
    send: async ({ dueAt, note }) => {
      const input = { dueAt: instantOf(dueAt) ?? '', note: note.trim() };
      return (await promise({ variables: { campaignId, contactId, input } })).data?.result;
    },
    done: () => {
      sayDone(t('contacts.callbackSaved'));
      close();
    },
  });
  const { values, set, errorOf } = form;
  return (
    <>
      <Form form={form} action={t(known ? 'contacts.callbackMove' : 'contacts.callback')} cancel={close}>
        <TextInput
          type="datetime-local"
          label={t('contacts.callbackWhen')}
          required
          value={values.dueAt}
          error={errorOf('dueAt')}
          onChange={event => set({ dueAt: event.currentTarget.value })}
        />
        <Textarea
          label={t('contacts.callbackNote')}
          maxLength={1_000}
          autosize
          minRows={2}
          value={values.note}
          error={errorOf('note')}
          onChange={event => set({ note: event.currentTarget.value })}
        />
      </Form>
      {known && <CancelButton callback={known} close={close} />}
    </>
  );
}

function CancelButton({ callback, close }: { callback: Known; close: () => void }) {
  const { t } = useTranslation();
  const [cancel] = useMutation(CancelCallbackDocument);

  async function act(): Promise<string | null> {
    const { data } = await cancel({ variables: { id: callback.databaseId } });
    if (isRefusal(data?.result)) return data.result.message;
    sayDone(t('contacts.callbackCancelled'));
    close();
    return null;
  }

  return (
    <Group mt="md">
      <ConfirmButton
        variant="light"
        color="red"
        title={t('contacts.callbackCancel')}
        warning={t('contacts.callbackCancelWarning')}
        act={act}
      >
        {t('contacts.callbackCancel')}
      </ConfirmButton>
    </Group>
  );
}
