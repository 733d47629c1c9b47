import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { ActButton } from '../../ui/act-button.tsx';
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
    <Dialog isOpen={asked !== null} close={close} title={asked && t(`target.${asked}`)}>
      {asked && <Choice asked={asked} callKey={callKey} when={when} conferenceId={conferenceId} close={close} />}
    </Dialog>
  );
}

function Choice({ asked, callKey = '', when = 'BOUNDARY', conferenceId, close }: TargetProps & { asked: Target }) {
  const { t } = useTranslation();
  const { data } = useQuery(FreeAgentsDocument, { fetchPolicy: 'network-only' });
  const [agentId, setAgentId] = useState<string | null>(null);
  const [groupId, setGroupId] = useState<string | null>(null);
  const [number, setNumber] = useState('');
  const { run, isBusy, refused } = useAct();
  const takesNumber = asked !== 'ASSIGN';
  async function send() {
    const target = agentId ? { agentId } : groupId ? { groupId } : { targetNumber: number.trim() };
    const isDone =
      asked === 'ASSIGN'
        ? await run(ClaimCallDocument, { callKey, when, agentId }, t('acts.claimed'))
        : await run(JoinConferenceDocument, { conferenceId, input: { mode: asked, ...target } }, t(`acts.done.${asked}`));
    if (isDone) close();
  }
  // An agent who is in a call cannot be its target.
  const isSelf = (id: string) => id === data?.myAgent?.databaseId;
  const agents = (data?.agents ?? []).filter(
    ({ isEnabled, databaseId, status }) => isEnabled && !(isSelf(databaseId) && status === 'BUSY'),
  );
  const isFree = (agent: (typeof agents)[number]) => agent.status === 'IDLE' && agent.registrationStatus === 'REGISTERED';
  const freeOf = (id: string) => agents.filter(agent => agent.groupId === id && isFree(agent)).length;
  const hasTarget = agentId !== null || (takesNumber && (groupId !== null || number.trim() !== ''));
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        if (hasTarget) void send();
      }}
    >
      {asked !== 'ASSIGN' && (
        <Text className="quiet" mb="sm">
          {t(`target.about.${asked}`)}
        </Text>
      )}
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
        <Select
          mt="sm"
          label={t('target.group')}
          placeholder={t('target.chooseGroup')}
          data={(data?.agentGroups ?? []).map(group => ({
            value: group.databaseId,
            label: t('target.freeOf', { name: group.name, count: freeOf(group.databaseId) }),
            disabled: freeOf(group.databaseId) === 0,
          }))}
          value={groupId}
          onChange={setGroupId}
          disabled={agentId !== null}
          clearable
          searchable
        />
      )}
      {takesNumber && (
        <TextInput
          mt="sm"
          label={t('target.number')}
          value={number}
          maxLength={32}
          disabled={agentId !== null || groupId !== null}
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
        <ActButton
          color="violet"
          loading={isBusy}
          reason={hasTarget ? null : t(takesNumber ? 'target.chooseFirst' : 'target.chooseAgent')}
          act={() => void send()}
        >
          {t(`target.${asked}`)}
        </ActButton>
      </Group>
    </form>
  );
}
