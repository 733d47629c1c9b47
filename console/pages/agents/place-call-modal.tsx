import { useApolloClient } from '@apollo/client/react';
import { Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CampaignSelect } from '../../form/campaign-select.tsx';
import { Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { type BoardAgentFragment, PlaceCallDocument } from './agent-board.generated.ts';

interface ModalProps {
  /** The agent who calls; null when closed. */
  agent: BoardAgentFragment | null;
  close: () => void;
}

/** Places a call from an agent to a customer: the agent's own phone rings first. */
export function PlaceCallModal({ agent, close }: ModalProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={agent !== null} close={close} title={agent && t('agentBoard.callTitle', { name: agent.name })}>
      {agent && <CallForm agent={agent} close={close} />}
    </Dialog>
  );
}

function CallForm({ agent, close }: { agent: BoardAgentFragment; close: () => void }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const form = useForm({
    initial: { phoneNumber: '', campaignId: '', note: '' },
    send: async ({ phoneNumber, campaignId, note }) => {
      const input = { phoneNumber: phoneNumber.trim(), campaignId: campaignId || null, note: note || null };
      return (await client.mutate({ mutation: PlaceCallDocument, variables: { agentId: agent.databaseId, input } })).data?.result;
    },
    done: () => {
      sayDone(t('agentBoard.callPlaced', { name: agent.name }));
      close();
    },
  });
  const { values, set, errorOf } = form;
  return (
    <Form form={form} action={t('agentBoard.doCall')} cancel={close}>
      <Text className="quiet">{t('agentBoard.callSteps')}</Text>
      <TextInput
        label={t('agentBoard.number')}
        type="tel"
        required
        data-autofocus
        value={values.phoneNumber}
        error={errorOf('phoneNumber')}
        onChange={event => set({ phoneNumber: event.currentTarget.value })}
      />
      <CampaignSelect
        label={t('agentBoard.campaign')}
        among={{ status: 'RUNNING' }}
        value={values.campaignId}
        error={errorOf('campaignId')}
        choose={campaignId => set({ campaignId })}
        clearable
      />
      <Textarea
        label={t('agentBoard.note')}
        value={values.note}
        maxLength={2000}
        error={errorOf('note')}
        onChange={event => set({ note: event.currentTarget.value })}
      />
    </Form>
  );
}
