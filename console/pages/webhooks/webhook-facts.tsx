import { Alert, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { useCommands } from '../../form/use-commands.ts';
import { formatCount, formatDateTime } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { ReplayButton } from './replay-button.tsx';
import { useTroubleWords } from './trouble-words.ts';
import { RotateWebhookSecretDocument, TestWebhookDocument, type WebhookRowFragment } from './webhooks.generated.ts';

interface WebhookFactsProps {
  row: WebhookRowFragment;
  tellSecret: (secret: string | null) => void;
}

/** How an endpoint fares, and what can be done with it beside its settings. */
export function WebhookFacts({ row, tellSecret }: WebhookFactsProps) {
  const { t } = useTranslation();
  const trouble = useTroubleWords();
  const { failingSince, failures, lastError, restUntil, lastDeliveredAt, previousUntil, waiting, status, disabledReason } = row;
  return (
    <>
      {status === 'DISABLED' && (
        <Alert color="red" mb="md">
          {t(disabledReason === 'gone' ? 'webhooks.wentAway' : 'webhooks.gaveUp')}
        </Alert>
      )}
      <Acts row={row} tellSecret={tellSecret} />
      <Facts
        facts={[
          [t('webhooks.waiting'), formatCount(waiting)],
          [t('webhooks.lastDelivered'), lastDeliveredAt && formatDateTime(lastDeliveredAt)],
          [t('webhooks.failingSince'), failingSince && t('webhooks.failingText', { at: formatDateTime(failingSince), count: failures })],
          [t('webhooks.lastError'), failingSince && lastError && trouble(lastError)],
          [t('webhooks.restUntil'), restUntil && formatDateTime(restUntil)],
          [t('webhooks.previousUntil'), previousUntil && formatDateTime(previousUntil)],
        ]}
      />
    </>
  );
}

function Acts({ row, tellSecret }: WebhookFactsProps) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const reason = useDisabledReason('admin');
  async function rotate(): Promise<string | null> {
    const result = await run(RotateWebhookSecretDocument, { id: row.databaseId });
    if (isRefusal(result)) return result.message;
    if (result) tellSecret(result.secret ?? null);
    return null;
  }
  return (
    <Group gap="sm" mb="md" align="flex-start">
      <TestButton webhookId={row.databaseId} reason={reason} />
      {row.kind === 'WEBHOOK' && (
        <ConfirmButton variant="default" act={rotate} reason={reason} title={t('webhooks.rotateAsks')} warning={t('webhooks.rotateMeans')}>
          {t('webhooks.rotate')}
        </ConfirmButton>
      )}
      <ReplayButton webhookId={row.databaseId} reason={reason} />
    </Group>
  );
}

function TestButton({ webhookId, reason }: { webhookId: string; reason: string | null }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const trouble = useTroubleWords();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  async function send(): Promise<string | null> {
    const result = await run(TestWebhookDocument, { id: webhookId });
    if (isRefusal(result)) return result.message;
    if (result?.state !== 'DELIVERED') return t('webhooks.testFailed', { why: trouble(result?.error ?? '') });
    sayDone(t('webhooks.testTaken', { count: result.tookMs ?? 0 }));
    return null;
  }
  async function press(): Promise<void> {
    setBusy(true);
    setFailure(await send().catch((error: Error) => error.message));
    setBusy(false);
  }
  return (
    <div>
      <ActButton variant="default" act={() => void press()} reason={reason} loading={isBusy}>
        {t('webhooks.test')}
      </ActButton>
      {failure && (
        <Alert color="red" role="alert" mt="xs">
          {failure}
        </Alert>
      )}
    </div>
  );
}
