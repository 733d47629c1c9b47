import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Column } from '../../table/data-table.tsx';
import { ActButton } from '../../ui/act-button.tsx';
import type { BoardAgentFragment } from './agent-board.generated.ts';
import { AgentActivity } from './agent-activity.tsx';
import { AgentStatusChoice } from './agent-status-choice.tsx';
import { useBreakReason } from './use-break-reason.ts';

interface ColumnOptions {
  /** Whether the user may act for the agent: a supervisor for everyone, others only for themselves. */
  mayAct: (agent: BoardAgentFragment) => boolean;
  /** Called to place a call as the agent. */
  call: (agent: BoardAgentFragment) => void;
}

export function useAgentColumns({ mayAct, call }: ColumnOptions): Column<BoardAgentFragment>[] {
  const { t } = useTranslation();
  const breakReasonOf = useBreakReason();
  const disabledReason = (agent: BoardAgentFragment) => (mayAct(agent) ? null : t('agentBoard.ofAnother'));
  return [
    {
      key: 'name',
      header: t('agentColumn.name'),
      cell: ({ name, isEnabled }) => (
        <>
          {name} {!isEnabled && <span className="quiet">({t('agentBoard.disabled')})</span>}
        </>
      ),
    },
    {
      key: 'status',
      header: t('agentColumn.status'),
      width: '130px',
      cell: agent => <AgentStatusChoice agent={agent} reason={disabledReason(agent)} />,
    },
    {
      key: 'activity',
      header: t('agentColumn.activity'),
      width: '200px',
      cell: agent => <AgentActivity agent={agent} breakReason={breakReasonOf(agent)} mayEnd={mayAct(agent)} />,
    },
    {
      key: 'phone',
      header: t('agentColumn.phone'),
      width: '210px',
      cell: ({ phoneExtension, registrationStatus }) => (
        <>
          {phoneExtension}{' '}
          <span className={registrationStatus === 'REGISTERED' ? 'quiet' : 'tone-failed'}>{t(`registration.${registrationStatus}`)}</span>
        </>
      ),
    },
    { key: 'group', header: t('agentColumn.group'), width: '140px', cell: ({ group }) => group?.name },
    {
      key: 'call',
      header: t('agentColumn.call'),
      width: '110px',
      cell: ({ currentCallKey }) =>
        currentCallKey && <Link to={`/live?call=${encodeURIComponent(currentCallKey)}`}>{t('agentBoard.inCall')}</Link>,
    },
    {
      key: 'act',
      header: t('agentColumn.act'),
      width: '150px',
      cell: agent => (
        <ActButton
          size="compact-xs"
          variant="default"
          act={() => call(agent)}
          reason={disabledReason(agent) ?? disabledReasonOfCall(agent, t)}
        >
          {t('agentBoard.call')}
        </ActButton>
      ),
    },
  ];
}

/** Why the agent cannot place a call: their own phone must ring first, so it has to be reachable. */
export function disabledReasonOfCall({ registrationStatus, status }: BoardAgentFragment, t: (key: string) => string): string | null {
  if (registrationStatus !== 'REGISTERED') return t(`registration.${registrationStatus}`);
  return status === 'BUSY' ? t('agentStatus.BUSY') : null;
}
