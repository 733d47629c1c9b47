import { Alert, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { useStream } from '../../live/use-stream.ts';
import { DataTable } from '../../table/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { AgentStatusesDocument, type AgentStatusesSubscription, type BoardAgentFragment } from './agent-board.generated.ts';
import { STATUSES } from './agent-status-choice.tsx';
import { PlaceCallModal } from './place-call-modal.tsx';
import { useAgentColumns } from './use-agent-columns.tsx';

/** Board of agents: status, registration of the phone and current call of each. */
export function AgentBoardPage() {
  const { t } = useTranslation();
  const { user, may } = useMe();
  const isSupervisor = may('campaign:dispatch') === true;
  const { state: agents, isThere, error } = useStream(AgentStatusesDocument, { variables: {}, initial: [], reduce: withAgent });
  const [status] = useQueryState('status');
  const [group] = useQueryState('group');
  const search = useSearch();
  const [caller, setCaller] = useState<BoardAgentFragment | null>(null);
  const mine = agents.find(({ userId }) => userId !== null && userId === user?.databaseId);
  const groups = useMemo(() => groupsOf(agents), [agents]);
  const shown = agents.filter(agent => matches(agent, { status, group, text: search }));
  const columns = useAgentColumns({ mayAct: agent => isSupervisor || agent.id === mine?.id, call: setCaller });
  if (error) return <Notice error={error} />;
  return (
    <>
      {isThere && !mine && !isSupervisor && <Alert mb="sm">{t('agentBoard.noneOfMine')}</Alert>}
      <FilterBar count={t('agentBoard.count', { count: shown.length })} acts={<Counts agents={agents} />}>
        <SearchField label={t('agentBoard.search')} />
        <ChoiceFilter
          name="status"
          label={t('agentBoard.status')}
          choices={STATUSES.map(value => ({ value, label: t(`agentStatus.${value}`) }))}
        />
        <ChoiceFilter name="group" label={t('agentBoard.group')} choices={groups} />
      </FilterBar>
      <DataTable
        label={t('pages.agentBoard')}
        columns={columns}
        rows={shown}
        keyOf={({ id }) => id}
        empty={t(agents.length > 0 ? 'agentBoard.noneChosen' : 'agentBoard.none')}
        isLoading={!isThere}
      />
      <PlaceCallModal agent={caller} close={() => setCaller(null)} />
    </>
  );
}

function Counts({ agents }: { agents: readonly BoardAgentFragment[] }) {
  const { t } = useTranslation();
  const of = (status: string) => agents.filter(agent => agent.status === status).length;
  return <Text className="quiet">{t('agentBoard.counts', { idle: of('IDLE'), busy: of('BUSY'), offline: of('OFFLINE') })}</Text>;
}

interface Wanted {
  status: string;
  group: string;
  text: string | null;
}

function matches(agent: BoardAgentFragment, { status, group, text }: Wanted): boolean {
  if (status && agent.status !== status) return false;
  if (group && agent.group?.databaseId !== group) return false;
  return !text || `${agent.name} ${agent.phoneExtension}`.toLowerCase().includes(text.toLowerCase());
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
