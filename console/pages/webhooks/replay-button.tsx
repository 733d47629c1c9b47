import { Alert, Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { useCommands } from '../../form/use-commands.ts';
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
  const [from, setFrom] = useState(() => localOf(new Date(Date.now() - HOUR_MS).toISOString()));
  const [to, setTo] = useState(() => localOf(new Date().toISOString()));
  const [onlyFailed, setOnlyFailed] = useState(true);
  const [refused, setRefused] = useState<string | null>(null);
  async function send(): Promise<void> {
    const range = { from: instantOf(from), to: instantOf(to) };
    if (range.from === null || range.to === null) return;
    const input = { from: range.from, to: range.to, onlyFailed };
    const result = await run(ReplayWebhookDocument, { id: webhookId, input });
    if (isRefusal(result)) return setRefused(result.message);
    sayDone(t('webhooks.replayed', { count: result?.queued ?? 0 }));
    close();
  }
  return (
    <>
      <Text mb="sm">{t('webhooks.replayMeans')}</Text>
      <Group grow mb="sm">
        <TextInput type="datetime-local" label={t('webhooks.from')} value={from} onChange={event => setFrom(event.currentTarget.value)} />
        <TextInput type="datetime-local" label={t('webhooks.to')} value={to} onChange={event => setTo(event.currentTarget.value)} />
      </Group>
      <Switch label={t('webhooks.onlyFailed')} checked={onlyFailed} onChange={event => setOnlyFailed(event.currentTarget.checked)} />
      {refused && (
        <Alert color="red" role="alert" mt="sm">
          {refused}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button
          disabled={instantOf(from) === null || instantOf(to) === null}
          onClick={() => void send().catch((error: Error) => setRefused(error.message))}
        >
          {t('webhooks.replay')}
        </Button>
      </Group>
    </>
  );
}
