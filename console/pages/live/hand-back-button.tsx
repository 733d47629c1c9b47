import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Select, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useAct } from '../../ui/use-act.ts';
import { HandBackCallDocument, HandBackNodesDocument } from './acts.generated.ts';
import { nameOf } from './call-card.tsx';
import type { OpenCall } from './open-call.ts';
import { nodeChoices } from './node-choices.ts';
import type { Explain } from './use-explained.ts';

/** Same bound as the argument of `handBackLiveCall`. */
const MAX_TEXT = 1_000;

interface HandBackButtonProps {
  call: OpenCall;
  /** Called once the bot has the customer. */
  handedBack: () => void;
  /** Why it is disabled; null when it is allowed. */
  reason: string | null;
  explain: Explain;
}

/** Gives the customer back to the bot: the dialog says what happens, and takes what was agreed. */
export function HandBackButton({ call, handedBack, reason, explain }: HandBackButtonProps) {
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
      <Dialog isOpen={isAsked} close={close} title={t('handBack.title', { who: nameOf(call) })}>
        <HandBackForm call={call} handedBack={handedBack} close={close} />
      </Dialog>
    </>
  );
}

interface HandBackFormProps extends Pick<HandBackButtonProps, 'call' | 'handedBack'> {
  close: () => void;
}

function HandBackForm({ call: { callKey, attemptId }, handedBack, close }: HandBackFormProps) {
  const { t } = useTranslation();
  const { run, isBusy, refused } = useAct();
  const [text, setText] = useState('');
  const [nodeId, setNodeId] = useState<string | null>(null);
  // A repeated request, after a lost answer, must not be carried out twice.
  const [guidanceId] = useState(() => crypto.randomUUID());
  const handBack = async () => {
    const variables = { callKey, text: text.trim(), nodeId, guidanceId };
    if (!(await run(HandBackCallDocument, variables, t('acts.done.HAND_BACK')))) return;
    handedBack();
    close();
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
      <NodeChoice attemptId={attemptId} nodeId={nodeId} choose={setNodeId} />
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

interface NodeChoiceProps {
  attemptId: string;
  /** Null: where the bot thinks fit. */
  nodeId: string | null;
  choose: (nodeId: string | null) => void;
}

/** Node of the script from which the bot goes on; nothing when the call has no script with nodes. */
function NodeChoice({ attemptId, nodeId, choose }: NodeChoiceProps) {
  const { t } = useTranslation();
  const { data } = useQuery(HandBackNodesDocument, { variables: { attemptId } });
  const nodes = nodeChoices(data?.attempt?.savedScript?.nodeNames);
  if (nodes.length === 0) return null;
  return (
    <Select
      mt="sm"
      label={t('handBack.node')}
      placeholder={t('handBack.anyNode')}
      data={nodes}
      value={nodeId}
      onChange={choose}
      searchable
      clearable
    />
  );
}
