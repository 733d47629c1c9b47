import { Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { Form, FormPair } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { useForm } from '../../form/use-form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ResultInput } from '../results/result-input.tsx';
import { inputOf, valueOf } from '../results/result-values.ts';
import { type CallResultFragment, CorrectResultDocument, type CorrectResultMutationVariables } from '../results/results.generated.ts';

interface ModalProps {
  /** The call that is corrected; null when closed. */
  call: CallResultFragment | null;
  close: () => void;
}

/** Corrects what came of a call; what was reported stays visible beside it. */
export function CorrectModal({ call, close }: ModalProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={call !== null} close={close} title={t('results.correctTitle')} size="lg">
      {call && <CorrectForm key={call.id} call={call} close={close} />}
    </Dialog>
  );
}

interface Values {
  reason: string;
  classification: string;
  intent: string;
  fields: Readonly<Record<string, string>>;
}

function CorrectForm({ call, close }: { call: CallResultFragment; close: () => void }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const zone = useMe().timeZone ?? 'UTC';
  const initial: Values = {
    reason: '',
    classification: call.classification ?? '',
    intent: call.intent ?? '',
    fields: Object.fromEntries(call.resultFields.map(field => [field.key, inputOf(field, field.value, zone)])),
  };
  const form = useForm({
    initial,
    send: (values: Values) => run(CorrectResultDocument, { id: call.databaseId, input: changesOf(call, initial, values) }),
    done: () => {
      sayDone(t('results.corrected'));
      close();
    },
  });
  const { values, set, errorOf } = form;
  return (
    <Form form={form} action={t('results.save')} cancel={close}>
      <Text className="quiet">{t('results.correctAbout')}</Text>
      <FormPair>
        <TextInput
          label={t('results.member.classification')}
          maxLength={128}
          value={values.classification}
          error={errorOf('classification')}
          onChange={event => set({ classification: event.currentTarget.value })}
        />
        <TextInput
          label={t('results.member.intent')}
          maxLength={128}
          value={values.intent}
          error={errorOf('intent')}
          onChange={event => set({ intent: event.currentTarget.value })}
        />
      </FormPair>
      {call.resultFields.map(field => (
        <ResultInput
          key={field.key}
          field={field}
          value={values.fields[field.key] ?? ''}
          set={value => set({ fields: { ...values.fields, [field.key]: value } })}
        />
      ))}
      <Textarea
        label={t('results.reason')}
        description={t('results.reasonAbout')}
        required
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
        value={values.reason}
        error={errorOf('reason')}
        onChange={event => set({ reason: event.currentTarget.value })}
      />
    </Form>
  );
}

/** Only what was changed: the rest stays the runtime's word. */
function changesOf(call: CallResultFragment, before: Values, after: Values): CorrectResultMutationVariables['input'] {
  const changed = call.resultFields.filter(({ key }) => after.fields[key] !== before.fields[key]);
  const word = (name: 'classification' | 'intent') => (after[name] === before[name] ? {} : { [name]: after[name].trim() || null });
  return {
    reason: after.reason.trim(),
    ...word('classification'),
    ...word('intent'),
    fields: Object.fromEntries(changed.map(field => [field.key, valueOf(field, after.fields[field.key] ?? '')])),
  };
}
