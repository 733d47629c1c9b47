import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Modal, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAct } from '../../ui/use-act.ts';
import { ClaimCallDocument, FreeAgentsDocument, JoinConferenceDocument } from './target.generated.ts';

/** Purpose of the selection: to assign a claimed call, or to bring a target into a conference. */
export type Target = 'ASSIGN' | 'BLIND' | 'CONSULT';

interface TargetProps {
  /** Null when closed. */
  asked: Target | null;
  /** Key of the call to claim; absent for a conference. */
  callKey?: string;
  /** When the bot makes room for the agent who is assigned. */
  when?: 'NOW' | 'BOUNDARY' | undefined;
  conferenceId: string;
  close: () => void;
}

/** Selects who takes the call: an agent or, where the server accepts one, a phone number. */
export function TargetModal({ asked, callKey = '', when, conferenceId, close }: TargetProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={asked !== null}
      onClose={close}
      title={asked && t(`target.${asked}`)}
      lockScroll={false}
      centered
      closeButtonProps={{ 'aria-label': t('drawer.close') }}
    >
      {asked && <Choice asked={asked} callKey={callKey} when={when} conferenceId={conferenceId} close={close} />}
    </Modal>
  );
}

function Choice({ asked, callKey = '', when = 'BOUNDARY', conferenceId, close }: TargetProps & { asked: Target }) {
  const { t } = useTranslation();
  const { data } = useQuery(FreeAgentsDocument, { fetchPolicy: 'network-only' });
  const [agentId, setAgentId] = useState<string | null>(null);
  const [number, setNumber] = useState('');
  const { run, isBusy, refused } = useAct();
  const takesNumber = asked !== 'ASSIGN';
  async function send() {
    const target = agentId ? { agentId } : { targetNumber: number.trim() };
    const isDone =
      asked === 'ASSIGN'
        ? await run(ClaimCallDocument, { callKey, when, agentId }, t('acts.claimed'))
        : await run(JoinConferenceDocument, { conferenceId, input: { mode: asked, ...target } }, t(`acts.done.${asked}`));
    if (isDone) close();
  }
  const agents = (data?.agents ?? []).filter(({ isEnabled }) => isEnabled);
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
    >
      <Select
        label={t('target.agent')}
        placeholder={t('target.chooseAgent')}
        data={agents.map(({ databaseId, name, phoneExtension, status, registrationStatus }) => ({
          value: databaseId,
          label: `${name} · ${phoneExtension} · ${t(registrationStatus === 'REGISTERED' ? `agentStatus.${status}` : `registration.${registrationStatus}`)}`,
          disabled: status !== 'IDLE' || registrationStatus !== 'REGISTERED',
        }))}
        value={agentId}
        onChange={setAgentId}
        clearable={takesNumber}
        searchable
        data-autofocus
      />
      {takesNumber && (
        <TextInput
          mt="sm"
          label={t('target.number')}
          value={number}
          maxLength={32}
          disabled={agentId !== null}
          onChange={event => setNumber(event.currentTarget.value)}
        />
      )}
      {refused && (
        <Alert color="red" role="alert" mt="sm">
          {refused}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={close}>
          {t('form.cancel')}
        </Button>
        <Button type="submit" color="violet" loading={isBusy} disabled={!agentId && !(takesNumber && number.trim())}>
          {t(`target.${asked}`)}
        </Button>
      </Group>
    </form>
  );
}
