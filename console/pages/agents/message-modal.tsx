import { useApolloClient } from '@apollo/client/react';
import { Text, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { type BoardAgentFragment, SendAgentMessageDocument } from './agent-board.generated.ts';

/** Same bound as the argument of `sendAgentMessage`. */
const MAX_LENGTH = 200;

interface ModalProps {
  /** The agent who reads it; null when closed. */
  agent: BoardAgentFragment | null;
  close: () => void;
}

/** Writes to an agent: it appears on their desk at once. */
export function MessageModal({ agent, close }: ModalProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={agent !== null} close={close} title={agent && t('agentMessage.to', { name: agent.name })}>
      {agent && <MessageForm agent={agent} close={close} />}
    </Dialog>
  );
}

function MessageForm({ agent, close }: { agent: BoardAgentFragment; close: () => void }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const form = useForm({
    initial: { text: '' },
    send: async ({ text }) =>
      (await client.mutate({ mutation: SendAgentMessageDocument, variables: { id: agent.databaseId, text: text.trim() } })).data?.result,
    done: () => {
      sayDone(t('agentMessage.sent', { name: agent.name }));
      close();
    },
  });
  const { values, set, errorOf } = form;
  return (
    <Form form={form} action={t('agentMessage.send')} cancel={close}>
      <Text className="quiet">{t('agentMessage.about')}</Text>
      <Textarea
        label={t('agentMessage.text')}
        description={t('agentMessage.left', { count: MAX_LENGTH - values.text.length })}
        value={values.text}
        maxLength={MAX_LENGTH}
        error={errorOf('text')}
        required
        autosize
        minRows={3}
        data-autofocus
        onChange={event => set({ text: event.currentTarget.value })}
      />
    </Form>
  );
}
