import { Select, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAct } from '../../ui/use-act.ts';
import { type BoardAgentFragment, SetAgentStatusDocument } from './agent-board.generated.ts';

export const STATUSES = ['IDLE', 'BUSY', 'OFFLINE'] as const;
type Status = (typeof STATUSES)[number];

interface ChoiceProps {
  agent: BoardAgentFragment;
  /** Why it may not be changed; null when it may. */
  reason: string | null;
}

/** Sets the status of an agent; a refusal by the server appears at the field. */
export function AgentStatusChoice({ agent: { databaseId, name, status }, reason }: ChoiceProps) {
  const { t } = useTranslation();
  const { run, refused } = useAct();
  const message = reason ?? refused;
  const set = (wanted: Status) =>
    void run(
      SetAgentStatusDocument,
      { id: databaseId, status: wanted },
      t('agentBoard.statusSet', { name, status: t(`agentStatus.${wanted}`) }),
    );
  return (
    <Tooltip label={message} disabled={!message} multiline maw={280}>
      <Select
        size="xs"
        aria-label={t('agentBoard.setStatus', { name })}
        value={status}
        data={STATUSES.map(value => ({ value, label: t(`agentStatus.${value}`) }))}
        onChange={value => value && value !== status && set(value)}
        disabled={reason !== null}
        error={Boolean(refused)}
        allowDeselect={false}
      />
    </Tooltip>
  );
}
