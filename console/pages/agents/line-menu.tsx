import { useQuery } from '@apollo/client/react';
import { Alert, Button, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { agentDayPath } from '../../ui/agent-day-path.ts';
import { type Act, useAct } from '../../ui/use-act.ts';
import { useActionDisabledReason } from '../../ui/use-disabled-reason.ts';
import { JoinConferenceDocument } from '../conferences/target.generated.ts';
import { ListenToCallDocument } from '../live/acts.generated.ts';
import { CallOfAgentDocument, SetAgentStatusDocument, type BoardAgentFragment } from './agent-board.generated.ts';
import { STATUSES, useStatusChoices } from './agent-status-choice.tsx';
import type { BoardLine } from './board-lines.ts';
import styles from './board.module.css';
import { disabledReasonOfCall } from './use-agent-columns.tsx';

/** Dialogs that the page opens for a row. */
export interface LineActs {
  /** Places a call as the agent. */
  call: (agent: BoardAgentFragment) => void;
  message: (agent: BoardAgentFragment) => void;
  /** Moves the customer of a conference to somebody else. */
  move: (conferenceId: string) => void;
}

interface MenuProps {
  line: BoardLine;
  acts: LineActs;
}

/** Actions of a supervisor on an agent: its call, a message, its status. A disabled action says why. */
export function LineMenu({ line: { agent }, acts }: MenuProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const act = useAct();
  if (agent === null) return null;
  return (
    <Menu
      width={320}
      position="bottom-end"
      middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
      opened={isOpen}
      onChange={setOpen}
      closeOnItemClick={false}
    >
      <Menu.Target>
        <Button size="compact-xs" variant="default" aria-label={t('agentBoard.actsOf', { name: agent.name })}>
          {t('agentBoard.acts')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {isOpen && <Items agent={agent} acts={acts} act={act} close={() => setOpen(false)} />}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ItemsProps {
  agent: BoardAgentFragment;
  acts: LineActs;
  act: Act;
  close: () => void;
}

function Items({ agent, acts, act, close }: ItemsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { refused } = act;
  const open = (step: (agent: BoardAgentFragment) => void) => {
    close();
    step(agent);
  };
  return (
    <>
      {refused && (
        <Alert color="red" role="alert" p="xs" m="xs">
          {refused}
        </Alert>
      )}
      <CallItems agent={agent} acts={acts} act={act} close={close} />
      <Menu.Label>{t('agentBoard.toAgent')}</Menu.Label>
      <Item label={t('agentBoard.message')} reason={agent.userId === null ? t('agentBoard.noUser') : null} act={() => open(acts.message)} />
      <Item label={t('agentBoard.call')} reason={disabledReasonOfCall(agent, t)} act={() => open(acts.call)} />
      <Item label={t('agentDay.all')} reason={null} act={() => void navigate(agentDayPath(agent.databaseId))} />
      <Menu.Label>{t('agentBoard.setTo')}</Menu.Label>
      <StatusItems agent={agent} act={act} close={close} />
    </>
  );
}

const HEARINGS = ['LISTEN', 'WHISPER', 'BARGE'] as const;

/** Steps into the agent's call. The server says what is allowed when the menu opens, and checks again when a step is taken. */
function CallItems({ agent: { databaseId, currentCallKey }, acts, act, close }: ItemsProps) {
  const { t } = useTranslation();
  const { data } = useQuery(CallOfAgentDocument, {
    variables: { id: databaseId },
    fetchPolicy: 'network-only',
    skip: currentCallKey === null,
  });
  const disabledReasonOf = useActionDisabledReason();
  const call = data?.agent?.currentCall ?? null;
  const none = currentCallKey === null ? t('agentBoard.noCall') : t(data === undefined ? 'acts.unknown' : 'agentBoard.ownCall');
  const reasonOf = (name: string) => (call === null ? '' : disabledReasonOf(call.actions, name));
  const join = async (mode: (typeof HEARINGS)[number]) => {
    if (call === null) return;
    const { callKey, conferenceId } = call;
    const done = conferenceId
      ? act.run(JoinConferenceDocument, { conferenceId, input: { mode } }, t(`acts.done.${mode}`))
      : mode !== 'WHISPER' && act.run(ListenToCallDocument, { callKey, mode }, t(`acts.done.${mode}`));
    if (await done) close();
  };
  return (
    <>
      <Menu.Label>{t('agentBoard.toCall')}</Menu.Label>
      {call === null && (
        <Text size="xs" px="sm" pb={4} className="quiet">
          {none}
        </Text>
      )}
      {HEARINGS.map(mode => (
        <Item key={mode} label={t(`callAct.${mode}`)} reason={reasonOf(mode)} act={() => void join(mode)} />
      ))}
      <Item
        label={t('agentBoard.move')}
        reason={reasonOf('TRANSFER')}
        act={() => {
          close();
          if (call?.conferenceId) acts.move(call.conferenceId);
        }}
      />
    </>
  );
}

function StatusItems({ agent, act, close }: Omit<ItemsProps, 'acts'>) {
  const { t } = useTranslation();
  const { databaseId, name, isEnabled, registrationStatus } = agent;
  const choices = useStatusChoices();
  const now = chosenOf(agent);
  // The server lets an agent whose phone cannot ring only leave.
  const phone = registrationStatus === 'REGISTERED' ? null : t(`registration.${registrationStatus}`);
  const reasonOf = (value: string) => {
    if (!isEnabled) return t('agents.isDisabled');
    return value === now ? t('agentBoard.isSo') : value === 'OFFLINE' ? null : phone;
  };
  const set = async (wanted: string, label: string) => {
    const [chosen, reason = null] = wanted.split(':', 2);
    const variables = { id: databaseId, status: STATUSES.find(each => each === chosen) ?? 'OFFLINE', reason };
    if (await act.run(SetAgentStatusDocument, variables, t('agentBoard.statusSet', { name, status: label }))) close();
  };
  return choices.map(({ value, label }) => <Item key={value} label={label} reason={reasonOf(value)} act={() => void set(value, label)} />);
}

/** The choice that the agent's state stands for; null during a call and after it, when a choice takes effect later. */
function chosenOf({ activity: { state, reason } }: BoardAgentFragment): string | null {
  if (state === 'BUSY') return reason === null ? state : `BUSY:${reason}`;
  return state === 'IDLE' || state === 'OFFLINE' ? state : null;
}

/** An entry that stays focusable while it is disabled, with the reason below its label; '' where the reason stands above the entries. */
function Item({ label, reason, act }: { label: string; reason: string | null; act: () => void }) {
  return (
    <Menu.Item
      className={styles.item}
      aria-disabled={reason !== null}
      data-disabled={reason === null ? undefined : true}
      onClick={() => reason === null && act()}
    >
      {label}
      {reason && <Text size="xs">{reason}</Text>}
    </Menu.Item>
  );
}
