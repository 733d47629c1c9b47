import { Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, FormPair } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { useForm } from '../../form/use-form.ts';
import { instantOf, localOf } from '../../text/local-time.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ReplayWebhookDocument } from './webhooks.generated.ts';

const HOUR_MS = 3_600_000;

/** Sends the messages of a range again. */
export function ReplayButton({ webhookId, reason }: { webhookId: string; reason: string | null }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActButton variant="default" act={() => setOpen(true)} reason={reason}>
        {t('webhooks.replay')}
      </ActButton>
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t('webhooks.replay')}>
        <ReplayForm webhookId={webhookId} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ReplayForm({ webhookId, close }: { webhookId: string; close: () => void }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const [initial] = useState(lastHour);
  const form = useForm({
    initial,
    send: ({ from, to, onlyFailed }) =>
      run(ReplayWebhookDocument, { id: webhookId, input: { from: instantOf(from) ?? '', to: instantOf(to) ?? '', onlyFailed } }),
    done: ({ queued }) => {
      sayDone(t('webhooks.replayed', { count: queued }));
      close();
    },
  });
  const instant = (name: 'from' | 'to') => (
    <TextInput
      type="datetime-local"
      label={t(`webhooks.${name}`)}
      required
      value={form.values[name]}
      error={form.errorOf(name)}
      onChange={event => form.set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <Form form={form} action={t('webhooks.replay')} cancel={close}>
      <Text>{t('webhooks.replayMeans')}</Text>
      <FormPair>
        {instant('from')}
        {instant('to')}
      </FormPair>
      <Switch
        label={t('webhooks.onlyFailed')}
        checked={form.values.onlyFailed}
        onChange={event => form.set({ onlyFailed: event.currentTarget.checked })}
      />
    </Form>
  );
}

function lastHour() {
  const now = Date.now();
  return { from: localOf(new Date(now - HOUR_MS).toISOString()), to: localOf(new Date(now).toISOString()), onlyFailed: true };
}
