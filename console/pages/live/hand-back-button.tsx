import { Alert, Button, Group, Modal, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { HandBackCallDocument } from './acts.generated.ts';
import { nameOf } from './call-card.tsx';
import type { OpenCall } from './open-call.ts';
import type { Explain } from './use-explained.ts';

/** Same bounds as the arguments of `handBackLiveCall`. */
const MAX_TEXT = 1_000;
const MAX_NODE = 64;

interface HandBackButtonProps {
  call: OpenCall;
  /** Why it is disabled; null when it is allowed. */
  reason: string | null;
  explain: Explain;
}

/** Gives the customer back to the bot: the dialog says what happens, and takes what was agreed. */
export function HandBackButton({ call, reason, explain }: HandBackButtonProps) {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const close = () => setAsked(false);
  return (
    <>
      <ActButton
        size="compact-sm"
        variant="default"
        color="violet"
        act={() => setAsked(true)}
        reason={reason}
        explain={explain}
        shortcut="K"
      >
        {t('callAct.HAND_BACK')}
      </ActButton>
      <Modal
        opened={isAsked}
        onClose={close}
        title={t('handBack.title', { who: nameOf(call) })}
        lockScroll={false}
        centered
        closeButtonProps={{ 'aria-label': t('drawer.close') }}
      >
        <HandBackForm callKey={call.callKey} close={close} />
      </Modal>
    </>
  );
}

function HandBackForm({ callKey, close }: { callKey: string; close: () => void }) {
  const { t } = useTranslation();
  const { run, isBusy, refused } = useAct();
  const [text, setText] = useState('');
  const [nodeId, setNodeId] = useState('');
  // A repeated request, after a lost answer, must not be carried out twice.
  const [guidanceId] = useState(() => crypto.randomUUID());
  const handBack = async () => {
    const variables = { callKey, text: text.trim(), nodeId: nodeId.trim() || null, guidanceId };
    if (await run(HandBackCallDocument, variables, t('acts.done.HAND_BACK'))) close();
  };
  return (
    <>
      <Text>{t('handBack.loses')}</Text>
      <Textarea
        mt="sm"
        label={t('handBack.agreed')}
        placeholder={t('handBack.agreedExample')}
        maxLength={MAX_TEXT}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        mt="sm"
        label={t('handBack.node')}
        maxLength={MAX_NODE}
        value={nodeId}
        onChange={event => setNodeId(event.currentTarget.value)}
      />
      {refused && (
        <Alert color="red" role="alert" mt="sm">
          {refused}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={close}>
          {t('form.cancel')}
        </Button>
        <Button loading={isBusy} onClick={() => void handBack()}>
          {t('callAct.HAND_BACK')}
        </Button>
      </Group>
    </>
  );
}
