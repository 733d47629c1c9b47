import { useMutation } from '@apollo/client/react';
import { NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Form, FormPair } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ContactNumbers, type EditedNumber } from './contact-numbers.tsx';
import { type OpenContactFragment, UpdateContactDocument, type UpdateContactMutationVariables } from './contacts.generated.ts';

interface ContactFormProps {
  contact: OpenContactFragment;
  cancel: () => void;
  done: () => void;
}

type Input = UpdateContactMutationVariables['input'];

/** Form of a contact's editable fields; it sends only the changed ones. */
export function ContactForm({ contact, cancel, done }: ContactFormProps) {
  const { t } = useTranslation();
  const [update] = useMutation(UpdateContactDocument);
  const { campaignId, databaseId: id, numbers: known, customerName, externalId, remark, timeZone, priority, status, metadata } = contact;
  const numbers: readonly EditedNumber[] = known.map(({ phoneNumber, label, extension, verdict }) => ({
    phoneNumber,
    label,
    extension,
    verdict,
  }));
  const variables = Object(metadata) as Record<string, unknown>;
  const initial = { numbers, customerName, externalId, remark, timeZone, priority: priority as number | '', status, metadata: variables };
  const form = useForm({
    initial,
    send: async values => {
      const changed = Object.entries(values).filter(([name, value]) => value !== initial[name as keyof typeof initial]);
      const input = { ...Object.fromEntries(changed), ...(values.numbers !== numbers && numbersSent(values.numbers)) } as Input;
      return (await update({ variables: { campaignId, id, input } })).data?.result;
    },
    shownAt: { phoneNumber: 'numbers' },
    done: () => {
      sayDone(t('contacts.saved'));
      done();
    },
  });
  const { values, set, errorOf } = form;
  const texts = Object.entries(values.metadata).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  // A dialled contact returns to the queue through its own action.
  const statuses = status === 'PAUSED' || status === 'PENDING' ? (['PENDING', 'PAUSED'] as const) : ([status, 'PAUSED'] as const);
  return (
    <Form form={form} action={t('contacts.save')} cancel={cancel}>
      <ContactNumbers numbers={values.numbers} error={errorOf('numbers')} set={next => set({ numbers: next })} />
      <FormPair>
        <TextInput
          label={t('contacts.name')}
          value={values.customerName}
          error={errorOf('customerName')}
          onChange={event => set({ customerName: event.currentTarget.value })}
        />
        <TextInput
          label={t('contacts.externalId')}
          value={values.externalId}
          error={errorOf('externalId')}
          onChange={event => set({ externalId: event.currentTarget.value })}
        />
      </FormPair>
      <FormPair>
        <NumberInput
          label={t('contacts.priority')}
          description={t('contacts.priorityAbout')}
          allowDecimal={false}
          value={values.priority}
          error={errorOf('priority')}
          onChange={value => set({ priority: typeof value === 'number' ? value : '' })}
        />
        <Select
          label={t('contacts.status')}
          description={t('contacts.statusAbout')}
          allowDeselect={false}
          value={values.status}
          error={errorOf('status')}
          data={statuses.map(value => ({ value, label: t(`contactStatus.${value}`) }))}
          onChange={value => value && set({ status: value })}
        />
      </FormPair>
      <ZoneSelect
        label={t('contacts.zone')}
        description={t('contacts.zoneAbout')}
        value={values.timeZone}
        error={errorOf('timeZone')}
        choose={zone => set({ timeZone: zone })}
      />
      <Textarea
        label={t('contacts.remark')}
        autosize
        minRows={2}
        value={values.remark}
        error={errorOf('remark')}
        onChange={event => set({ remark: event.currentTarget.value })}
      />
      {texts.map(([name, value]) => (
        <TextInput
          key={name}
          label={name}
          value={value}
          onChange={event => set({ metadata: { ...values.metadata, [name]: event.currentTarget.value } })}
        />
      ))}
    </Form>
  );
}

/** A single number is the contact's number, as in a list of one. */
function numbersSent(numbers: readonly EditedNumber[]): Pick<Input, 'numbers'> {
  return { numbers: numbers.map(({ phoneNumber, label, extension }) => ({ phoneNumber, label, extension })) };
}
