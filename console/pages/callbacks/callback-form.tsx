import { useQuery } from '@apollo/client/react';
import { Group, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { Form } from '../../form/form.tsx';
import { type Form as FormState, useForm } from '../../form/use-form.ts';
import { instantOf, localOf } from '../../text/local-time.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import { CallbackAgentsDocument, type CallbackRowFragment } from './callbacks.generated.ts';
import { ChosenForCustomer, DueChoices } from './due-choices.tsx';
import { usePromise } from './use-promise.ts';

interface Values {
  dueAt: string;
  until: string;
  note: string;
  agentId: string;
}

interface CallbackFormProps {
  /** The contact to call. */
  contact: { campaignId: string; contactId: string };
  /** The promise to move; null: a new one. */
  known: CallbackRowFragment | null;
  /** Called after the promise was made, moved or cancelled, and when the user gives up. */
  close: () => void;
}

/** Promises a contact a call, or moves or cancels the one that it was promised. */
export function CallbackForm({ contact, known, close }: CallbackFormProps) {
  const { t } = useTranslation();
  const { send, mayAll, myAgentId, reasonOf } = usePromise();
  const form = useForm({
    initial: {
      dueAt: localOf(known?.dueAt ?? null),
      until: localOf(known?.until ?? null),
      note: known?.note ?? '',
      agentId: known?.agentId ?? (mayAll ? '' : (myAgentId ?? '')),
    },
    send: ({ dueAt, until, ...rest }: Values) => send(contact, { ...rest, dueAt: instantOf(dueAt) ?? '', until: instantOf(until) }),
    done: () => {
      sayDone(t('contacts.callbackSaved'));
      close();
    },
  });
  return (
    <>
      <Form
        form={form}
        action={t(known ? 'contacts.callbackMove' : 'contacts.callback')}
        cancel={close}
        disabledReason={known && reasonOf(known)}
      >
        <Fields form={form} contactId={contact.contactId} myAgentId={mayAll ? null : myAgentId} />
      </Form>
      {known?.status === 'PROMISED' && <CancelButton callback={known} close={close} />}
    </>
  );
}

interface FieldsProps {
  form: FormState<Values>;
  contactId: string;
  /** An agent who promises for itself alone; null: the user chooses the agent. */
  myAgentId: string | null;
}

function Fields({ form: { values, set, errorOf }, contactId, myAgentId }: FieldsProps) {
  const { t } = useTranslation();
  const instant = (name: 'dueAt' | 'until', label: string) => (
    <TextInput
      type="datetime-local"
      label={label}
      required={name === 'dueAt'}
      value={values[name]}
      error={errorOf(name)}
      onChange={event => set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      {instant('dueAt', t('contacts.callbackWhen'))}
      <DueChoices choose={dueAt => set({ dueAt })} />
      <ChosenForCustomer contactId={contactId} local={values.dueAt} />
      {instant('until', t('callbacks.until'))}
      <Textarea
        label={t('contacts.callbackNote')}
        maxLength={1_000}
        autosize
        minRows={2}
        value={values.note}
        error={errorOf('note')}
        onChange={event => set({ note: event.currentTarget.value })}
      />
      {myAgentId === null ? (
        <AgentField value={values.agentId} error={errorOf('agentId')} choose={agentId => set({ agentId })} />
      ) : (
        <Switch
          label={t('callbacks.bySelf')}
          description={t('callbacks.byAgentAbout')}
          checked={values.agentId !== ''}
          onChange={event => set({ agentId: event.currentTarget.checked ? myAgentId : '' })}
        />
      )}
    </>
  );
}

function AgentField({ value, error, choose }: { value: string; error: string | undefined; choose: (agentId: string) => void }) {
  const { t } = useTranslation();
  const { data } = useQuery(CallbackAgentsDocument);
  return (
    <Select
      label={t('callbacks.byAgent')}
      description={t('callbacks.byAgentAbout')}
      placeholder={t('callbacks.anybody')}
      clearable
      clearButtonProps={{ 'aria-label': t('callbacks.anybody') }}
      searchable
      value={value || null}
      error={error}
      onChange={chosen => choose(chosen ?? '')}
      data={(data?.agents ?? []).map(({ databaseId, name }) => ({ value: databaseId, label: name }))}
    />
  );
}

function CancelButton({ callback, close }: { callback: CallbackRowFragment; close: () => void }) {
  const { t } = useTranslation();
  const { cancel, reasonOf } = usePromise();

  async function act(): Promise<string | null> {
    const result = await cancel(callback.databaseId);
    if (isRefusal(result)) return result.message;
    sayDone(t('contacts.callbackCancelled'));
    close();
    return null;
  }

  return (
    <Group mt="md">
      <ConfirmButton
        variant="light"
        color="red"
        reason={reasonOf(callback)}
        title={t('contacts.callbackCancel')}
        warning={t('contacts.callbackCancelWarning')}
        act={act}
      >
        {t('contacts.callbackCancel')}
      </ConfirmButton>
    </Group>
  );
}
