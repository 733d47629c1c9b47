import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useNow } from '../../ui/use-now.ts';
import { ChangeWrapUpDocument } from '../dispositions/dispositions.generated.ts';
import type { BoardAgentFragment } from './agent-board.generated.ts';

type State = BoardAgentFragment['activity']['state'];

const TONES: Readonly<Record<State, string>> = {
  TALKING: 'tone-person',
  RINGING: 'tone-person',
  WRAP_UP: 'tone-waiting',
  BUSY: 'tone-waiting',
  IDLE: 'tone-answered',
  OFFLINE: 'quiet',
};

interface ActivityProps {
  agent: BoardAgentFragment;
  /** Label of the reason for a break; null without one. */
  breakReason: string | null;
  /** Whether the user may end the agent's wrap-up. */
  mayEnd: boolean;
}

/** An agent's state and its duration; a wrap-up can be ended here. */
export function AgentActivity({ agent: { databaseId, name, activity }, breakReason, mayEnd }: ActivityProps) {
  const { t } = useTranslation();
  const { run, refused } = useAct();
  const { state, since, wrapUp } = activity;
  const end = () => void run(ChangeWrapUpDocument, { id: databaseId, step: 'END' }, t('agentBoard.wrapUpEnded', { name }));
  return (
    <Group gap="xs" wrap="nowrap">
      <span>
        <span className={TONES[state]}>
          {breakReason === null ? t(`agentState.${state}`) : t('agentBoard.onBreak', { reason: breakReason })}
        </span>{' '}
        {since !== null && <Since since={since} />}
      </span>
      {wrapUp !== null && mayEnd && (
        <ActButton size="compact-xs" variant="default" act={end} reason={refused}>
          {t('agentBoard.endWrapUp')}
        </ActButton>
      )}
    </Group>
  );
}

function Since({ since }: { since: string }) {
  const now = useNow();
  return <span className="quiet">{formatSeconds((now - Date.parse(since)) / 1_000)}</span>;
}
