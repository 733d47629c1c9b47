import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { NounPage, OpenLink } from '../../form/noun-page.tsx';
import { useStream } from '../../live/use-stream.ts';
import type { Column } from '../../table/data-table.tsx';
import { ChoiceFilter, SearchField, useSearch } from '../../table/filters.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { useAgentNoun } from './agent-noun.tsx';
import { AgentStatusText, RegistrationText } from './agent-words.tsx';
import { AgentListDocument, type AgentListSubscription, type AgentRowFragment } from './agents.generated.ts';
import { useAgentChoices } from './use-agent-choices.ts';

const STATUSES = ['IDLE', 'BUSY', 'OFFLINE'] as const;

/** Agents who talk to customers: status, current call and phone of each. */
export function AgentsPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const [status] = useQueryState('status');
  const [group] = useQueryState('group');
  const { state: all, isThere, error } = useStream(AgentListDocument, { variables: {}, initial: [], reduce: withChange });
  const choices = useAgentChoices();
  const noun = useAgentNoun(choices);
  const columns = useColumns();
  const rows = all.filter(
    agent =>
      isFound(agent, search ?? '') && (!group || agent.groupId === group) && (!status || (agent.isEnabled && agent.status === status)),
  );
  return (
    <NounPage
      noun={noun}
      columns={columns}
      rows={rows}
      total={isThere ? rows.length : null}
      isLoading={!isThere && !error}
      error={error}
      rowOf={id => (isThere ? (all.find(({ databaseId }) => databaseId === id) ?? null) : undefined)}
      isNarrowed={search !== null || status !== '' || group !== ''}
      filters={
        <>
          <SearchField label={t('agents.search')} />
          <ChoiceFilter
            name="status"
            label={t('agents.status')}
            choices={STATUSES.map(value => ({ value, label: t(`agentStatus.${value}`) }))}
          />
          <ChoiceFilter name="group" label={t('agents.field.groupId')} choices={choices.groups} />
        </>
      }
    />
  );
}

function withChange(agents: readonly AgentRowFragment[], { agentStatuses: event }: AgentListSubscription): readonly AgentRowFragment[] {
  if ('agents' in event) return event.agents;
  if ('agentId' in event) return agents.filter(({ databaseId }) => databaseId !== event.agentId);
  if (!('agent' in event)) return agents;
  const { agent } = event;
  return agents.some(({ id }) => id === agent.id) ? agents.map(each => (each.id === agent.id ? agent : each)) : [...agents, agent];
}

function isFound({ name, phoneExtension, user }: AgentRowFragment, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  return [name, phoneExtension, user?.displayName ?? ''].some(text => text.toLowerCase().includes(wanted));
}

function useColumns(): Column<AgentRowFragment>[] {
  const { t } = useTranslation();
  return [
    { key: 'name', header: t('agents.field.name'), cell: ({ databaseId, name }) => <OpenLink id={databaseId}>{name}</OpenLink> },
    { key: 'status', header: t('agents.status'), width: '110px', cell: row => <AgentStatusText {...row} /> },
    {
      key: 'group',
      header: t('agents.field.groupId'),
      cell: ({ group }) => group && <Link to={`/groups?open=${group.databaseId}`}>{group.name}</Link>,
    },
    { key: 'extension', header: t('agents.field.phoneExtension'), width: '120px', cell: ({ phoneExtension }) => phoneExtension },
    {
      key: 'registration',
      header: t('agents.phone'),
      width: '150px',
      cell: ({ registrationStatus }) => <RegistrationText status={registrationStatus} />,
    },
    { key: 'user', header: t('agents.field.userId'), cell: ({ user }) => user?.displayName },
    { key: 'cell', header: t('agents.field.cellId'), width: '110px', cell: ({ cellId }) => <span className="quiet">{cellId}</span> },
  ];
}
