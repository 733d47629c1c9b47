import { useQuery } from '@apollo/client/react';
import { Select, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAct } from '../../ui/use-act.ts';
import { BreakReasonsDocument } from '../dispositions/dispositions.generated.ts';
import { reasonLabel } from '../dispositions/reason-words.ts';
import { type BoardAgentFragment, SetAgentStatusDocument } from './agent-board.generated.ts';

export const STATUSES = ['IDLE', 'BUSY', 'OFFLINE'] as const;
type Status = (typeof STATUSES)[number];

interface ChoiceProps {
  agent: BoardAgentFragment;
  /** Why it may not be changed; null when it may. */
  reason: string | null;
}

/** A status, with the reason for being busy behind a colon. */
type Chosen = Status | `BUSY:${string}`;

/** Sets the status of an agent, a break with its reason; a refusal by the server appears at the field. */
export function AgentStatusChoice({ agent: { databaseId, name, status, activity }, reason }: ChoiceProps) {
  const { t } = useTranslation();
  const { run, refused } = useAct();
  const choices = useStatusChoices();
  const message = reason ?? refused;
  const value: Chosen = status === 'BUSY' && activity.reason !== null ? `BUSY:${activity.reason}` : status;
  const set = (wanted: string, label: string) => {
    const [chosen, why = null] = wanted.split(':', 2);
    const variables = { id: databaseId, status: STATUSES.find(each => each === chosen) ?? 'OFFLINE', reason: why };
    void run(SetAgentStatusDocument, variables, t('agentBoard.statusSet', { name, status: label }));
  };
  // A reason that is disabled now is shown while it lasts.
  const shown = choices.some(choice => choice.value === value) ? choices : [...choices, { value, label: activity.reason ?? '' }];
  return (
    <Tooltip label={message} disabled={!message} multiline maw={280}>
      <Select
        size="xs"
        aria-label={t('agentBoard.setStatus', { name })}
        value={value}
        data={shown}
        comboboxProps={{ width: 180, position: 'bottom-start' }}
        onChange={(next, option) => option && next !== value && set(option.value, option.label)}
        disabled={reason !== null}
        error={Boolean(refused)}
        allowDeselect={false}
      />
    </Tooltip>
  );
}

/** The statuses that an agent may be set to, breaks by their reasons. */
export function useStatusChoices(): { value: Chosen; label: string }[] {
  const { t } = useTranslation();
  const { data } = useQuery(BreakReasonsDocument);
  const reasons = data?.breakReasons?.reasons.filter(({ isEnabled }) => isEnabled) ?? [];
  return [
    { value: 'IDLE', label: t('agentStatus.IDLE') },
    { value: 'BUSY', label: t('agentStatus.BUSY') },
    ...reasons.map(row => ({ value: `BUSY:${row.code}` as const, label: t('breakReasons.busy', { reason: reasonLabel(row, t) }) })),
    { value: 'OFFLINE', label: t('agentStatus.OFFLINE') },
  ];
}
