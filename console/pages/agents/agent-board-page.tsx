import { Alert, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { useStream } from '../../live/use-stream.ts';
import { DataTable } from '../../table/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { AgentStatusesDocument, type AgentStatusesSubscription, type BoardAgentFragment } from './agent-board.generated.ts';
import { boardLines, SORTS, STATES, wantedLines } from './board-lines.ts';
import { PlaceCallModal } from './place-call-modal.tsx';
import { StateCounts } from './state-counts.tsx';
import { type BoardProps, SupervisorsBoard } from './supervisors-board.tsx';
import { useAgentColumns } from './use-agent-columns.tsx';

/** Board of agents: what each does since when; supervisors also see calls, figures and load, and can step in. */
export function AgentBoardPage() {
  const { t } = useTranslation();
  const { user, may } = useMe();
  const isSupervisor = may('campaign:dispatch') === true;
  const { state: agents, isThere, error } = useStream(AgentStatusesDocument, { variables: {}, initial: [], reduce: withAgent });
  const [state] = useQueryState('state');
  const [group] = useQueryState('group');
  const [sort] = useQueryState('sort');
  const wanted = { state, group, sort, text: useSearch() };
  const mine = agents.find(({ userId }) => userId !== null && userId === user?.databaseId);
  const groups = useMemo(() => groupsOf(agents), [agents]);
  if (error) return <Notice error={error} again={null} />;
  const filters = (
    <>
      <SearchField label={t('agentBoard.search')} />
      <ChoiceFilter
        name="state"
        label={t('agentBoard.state')}
        choices={STATES.map(value => ({ value, label: t(`agentState.${value}`) }))}
      />
      <ChoiceFilter name="group" label={t('agentBoard.group')} choices={groups} />
      <ChoiceFilter
        name="sort"
        label={t('agentBoard.sort')}
        choices={SORTS.map(value => ({ value, label: t(`agentBoard.by.${value}`) }))}
      />
    </>
  );
  const common = { agents, isThere, wanted, filters };
  if (isSupervisor) return <SupervisorsBoard {...common} />;
  return (
    <>
      {isThere && !mine && <Alert mb="sm">{t('agentBoard.noneOfMine')}</Alert>}
      <AgentsBoard {...common} mine={mine} />
    </>
  );
}

/** Board that agents see: names and states only. */
function AgentsBoard({ agents, isThere, wanted, filters, mine }: BoardProps & { mine: BoardAgentFragment | undefined }) {
  const { t } = useTranslation();
  const [caller, setCaller] = useState<BoardAgentFragment | null>(null);
  const shown = wantedLines(boardLines(agents, []), wanted).flatMap(({ agent }) => agent ?? []);
  const columns = useAgentColumns({ mayAct: agent => agent.id === mine?.id, call: setCaller });
  return (
    <>
      <FilterBar count={t('agentBoard.count', { count: shown.length })} acts={<Counts agents={agents} />}>
        {filters}
      </FilterBar>
      <DataTable
        label={t('pages.agentBoard')}
        columns={columns}
        rows={shown}
        keyOf={({ id }) => id}
        empty={agents.length > 0 ? <NoneFound>{t('agentBoard.noneChosen')}</NoneFound> : t('agentBoard.none')}
        isLoading={!isThere}
      />
      <PlaceCallModal agent={caller} close={() => setCaller(null)} />
    </>
  );
}

function Counts({ agents }: { agents: readonly BoardAgentFragment[] }) {
  const counts = STATES.map(state => ({ state, count: agents.filter(({ activity }) => activity.state === state).length }));
  return (
    <Text className="quiet">
      <StateCounts counts={counts} />
    </Text>
  );
}

function groupsOf(agents: readonly BoardAgentFragment[]): { value: string; label: string }[] {
  const groups = new Map(agents.flatMap(({ group }) => (group ? [[group.databaseId, group.name] as const] : [])));
  return [...groups].map(([value, label]) => ({ value, label }));
}

function withAgent(
  agents: readonly BoardAgentFragment[],
  { agentStatuses: event }: AgentStatusesSubscription,
): readonly BoardAgentFragment[] {
  switch (event.__typename) {
    case 'AgentStatusesSnapshot':
      return event.agents;
    case 'AgentLeft':
      return agents.filter(({ databaseId }) => databaseId !== event.agentId);
    case 'AgentStatusChanged': {
      const { agent } = event;
      return agents.some(({ id }) => id === agent.id) ? agents.map(each => (each.id === agent.id ? agent : each)) : [...agents, agent];
    }
    case 'Resync':
    default:
      return agents;
  }
}
