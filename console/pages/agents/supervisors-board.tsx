import { useQuery } from '@apollo/client/react';
import { useThrottledCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../table/data-table.tsx';
import { FilterBar } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TargetModal } from '../conferences/target-modal.tsx';
import { useHold } from '../live/use-hold.ts';
import { AgentBoardDocument, type BoardAgentFragment } from './agent-board.generated.ts';
import { boardLines, signatureOf, type Wanted, wantedLines } from './board-lines.ts';
import styles from './board.module.css';
import { GroupLoads } from './group-loads.tsx';
import { MessageModal } from './message-modal.tsx';
import { PlaceCallModal } from './place-call-modal.tsx';
import { StaffingForecast } from './staffing-forecast.tsx';
import { useHeldOrder } from './use-held-order.ts';
import { useLineColumns } from './use-line-columns.tsx';

/** Refresh interval of what no stream carries, in ms: the day's figures, the monitors' load and the forecast. */
const LOOK_MS = 5_000;
/** After a change of state the figures are read again, at most once in this time, ms. */
const SPACING_MS = 1_000;

export interface BoardProps {
  agents: readonly BoardAgentFragment[];
  isThere: boolean;
  wanted: Wanted;
  filters: ReactNode;
}

/** Every agent and monitor with its call and its day, the load of the groups, and how likely a needed agent is busy. */
export function SupervisorsBoard({ agents, isThere, wanted, filters }: BoardProps) {
  const { t } = useTranslation();
  const board = useBoard(agents, wanted.group);
  const [caller, setCaller] = useState<BoardAgentFragment | null>(null);
  const [reader, setReader] = useState<BoardAgentFragment | null>(null);
  const [conferenceId, move] = useState<string | null>(null);
  const { isHeld, hold } = useHold('board');
  const lines = useHeldOrder(wantedLines(boardLines(agents, board.data?.rows ?? []), wanted), isHeld);
  const columns = useLineColumns(
    { call: setCaller, message: setReader, move },
    agents.some(({ group }) => group !== null),
  );
  return (
    <>
      {board.error && <Notice error={board.error} />}
      <div className={styles.heads}>
        <StaffingForecast staffing={board.data?.staffing ?? null} />
        <GroupLoads groups={board.data?.groups ?? null} />
      </div>
      <FilterBar count={t('agentBoard.count', { count: lines.length })}>{filters}</FilterBar>
      <div {...hold}>
        <DataTable
          label={t('pages.agentBoard')}
          columns={columns}
          rows={lines}
          keyOf={({ key }) => key}
          empty={agents.length > 0 ? <NoneFound>{t('agentBoard.noneChosen')}</NoneFound> : t('agentBoard.none')}
          isLoading={!isThere}
        />
      </div>
      <PlaceCallModal agent={caller} close={() => setCaller(null)} />
      <MessageModal agent={reader} close={() => setReader(null)} />
      <TargetModal asked={conferenceId === null ? null : 'BLIND'} conferenceId={conferenceId ?? ''} close={() => move(null)} />
    </>
  );
}

/** Reads the board while the page is visible, and again soon after an agent's state has changed. */
function useBoard(agents: readonly BoardAgentFragment[], group: string) {
  const { data, previousData, error, refetch } = useQuery(AgentBoardDocument, {
    variables: { groupId: group || null },
    pollInterval: LOOK_MS,
    skipPollAttempt: () => document.hidden,
    fetchPolicy: 'network-only',
  });
  const refresh = useThrottledCallback(() => void refetch().catch(() => undefined), SPACING_MS);
  const signature = signatureOf(agents);
  useEffect(() => {
    if (signature !== '') refresh();
  }, [signature, refresh]);
  return { data: (data ?? previousData)?.agentBoard ?? null, error };
}
