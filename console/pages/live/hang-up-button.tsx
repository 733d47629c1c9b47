import { Alert, Button, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useAct } from '../../ui/use-act.ts';
import { HangUpCallDocument } from './acts.generated.ts';
import { nameOf } from './call-card.tsx';
import type { OpenCall } from './open-call.ts';
import type { Explain } from './use-explained.ts';

/** Same bound as the argument of `hangUpLiveCall`. */
const MAX_REASON = 200;

interface HangUpButtonProps {
  call: OpenCall;
  /** Why it is disabled; null when it is allowed. */
  reason: string | null;
  explain: Explain;
}

/** Hangs up on the customer: the dialog explains the consequence and requires a reason for the audit log. */
export function HangUpButton({ call, reason, explain }: HangUpButtonProps) {
  const { t } = useTranslation();
  const { run, isBusy, refused } = useAct();
  const [isAsked, setAsked] = useState(false);
  const [why, setWhy] = useState('');
  const who = nameOf(call);
  const hangUp = async () => {
    const variables = { callKey: call.callKey, reason: why.trim() || null };
    if (await run(HangUpCallDocument, variables, t('acts.done.HANG_UP'))) setAsked(false);
  };
  return (
    <>
      <ActButton size="compact-sm" variant="light" color="red" act={() => setAsked(true)} reason={reason} explain={explain} shortcut="E">
        {t('callAct.HANG_UP')}
      </ActButton>
      <Dialog isOpen={isAsked} close={() => setAsked(false)} title={t('hangUp.title', { who })}>
        <Text>{t('hangUp.loses')}</Text>
        <Textarea
          mt="sm"
          label={t('hangUp.reason')}
          placeholder={t('hangUp.reasonExample')}
          maxLength={MAX_REASON}
          value={why}
          onChange={event => setWhy(event.currentTarget.value)}
          data-autofocus
        />
        {refused && (
          <Alert color="red" role="alert" mt="sm">
            {refused}
          </Alert>
        )}
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={() => setAsked(false)}>
            {t('form.cancel')}
          </Button>
          <Button color="red" loading={isBusy} onClick={() => void hangUp()}>
            {t('callAct.HANG_UP')}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
