import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAct } from '../../ui/use-act.ts';
import { useNow } from '../../ui/use-now.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ChangeWrapUpDocument } from '../dispositions/dispositions.generated.ts';
import type { BoardAgentFragment } from './agent-board.generated.ts';

interface ActivityProps {
  agent: BoardAgentFragment;
  /** Whether the user may end the agent's wrap-up. */
  mayEnd: boolean;
}

/** An agent's state and its duration; a wrap-up can be ended here. */
export function AgentActivity({ agent: { databaseId, name, activity }, mayEnd }: ActivityProps) {
  const { t } = useTranslation();
  const { run, refused } = useAct();
  const now = useNow(1_000);
  const since = activity.since === null ? null : Date.parse(activity.since);
  const end = () => void run(ChangeWrapUpDocument, { id: databaseId, step: 'END' }, t('agentBoard.wrapUpEnded', { name }));
  return (
    <Group gap="xs" wrap="nowrap">
      <span>
        {t(`agentState.${activity.state}`)} {since !== null && <span className="quiet">{elapsed(now - since)}</span>}
      </span>
      {activity.wrapUp !== null && mayEnd && (
        <ActButton size="compact-xs" variant="default" act={end} reason={refused}>
          {t('agentBoard.endWrapUp')}
        </ActButton>
      )}
    </Group>
  );
}

/** `4:07`, or `1:02:07` from an hour on. */
function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map(part => String(part).padStart(2, '0'));
  const hours = Math.floor(seconds / 3_600);
  return (hours > 0 ? [hours, ...parts] : [Number(parts[0]), parts[1]]).join(':');
}
