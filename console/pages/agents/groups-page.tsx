import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import type { Noun } from '../../form/noun.ts';
import { NounPage, OpenLink } from '../../form/noun-page.tsx';
import { useCommands } from '../../form/use-commands.ts';
import type { Column } from '../../table/data-table.tsx';
import { SearchField, useSearch } from '../../table/filters.tsx';
import { formatCount } from '../../text/format.ts';
import { type Agent, Members } from './group-members.tsx';
import {
  CreateGroupDocument,
  DeleteGroupDocument,
  GroupMembersDocument,
  type GroupRowFragment,
  GroupsDocument,
  UpdateGroupDocument,
} from './groups.generated.ts';

/** Refresh interval in ms, as agents become idle or busy within seconds. */
const LOOK_MS = 5_000;

/** Groups of agents with their members. */
export function GroupsPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const { data, loading, error, refetch } = useQuery(GroupsDocument);
  const { data: people, refetch: readPeople } = useQuery(GroupMembersDocument, { pollInterval: LOOK_MS });
  const agents = people?.agents ?? [];
  const noun = useGroupNoun(agents, async () => Promise.all([refetch(), readPeople()]));
  const columns = useColumns(agents);
  const all = data?.agentGroups ?? [];
  const wanted = (search ?? '').toLowerCase();
  const rows = all.filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(wanted));
  return (
    <NounPage
      noun={noun}
      columns={columns}
      rows={rows}
      total={data ? rows.length : null}
      isLoading={loading}
      error={error}
      rowOf={id => (data ? (all.find(({ databaseId }) => databaseId === id) ?? null) : undefined)}
      isNarrowed={wanted !== ''}
      filters={<SearchField label={t('groups.search')} />}
    />
  );
}

interface GroupValues {
  name: string;
  description: string;
}

function valuesOf(group: GroupRowFragment | null): GroupValues {
  return { name: group?.name ?? '', description: group?.description ?? '' };
}

function useGroupNoun(agents: readonly Agent[], listChanged: () => unknown): Noun<GroupRowFragment, GroupValues> {
  const { run, read } = useCommands();
  return {
    text: 'groups',
    needs: 'agent:write',
    auditedAs: 'agent_group',
    nameOf: ({ name }) => name,
    fields: () => [
      { kind: 'text', name: 'name', maxLength: 128, isNeeded: true },
      { kind: 'long', name: 'description', maxLength: 2_000 },
    ],
    valuesOf,
    listChanged,
    create: input => run(CreateGroupDocument, { input }),
    update: ({ databaseId: id }, input) => run(UpdateGroupDocument, { id, input }),
    reload: async ({ id }) => (await read(GroupsDocument, {}))?.agentGroups?.find(group => group.id === id) ?? null,
    remove: ({ databaseId: id }) => run(DeleteGroupDocument, { id }),
    more: group => <Members group={group} agents={agents} changed={listChanged} />,
  };
}

function useColumns(agents: readonly Agent[]): Column<GroupRowFragment>[] {
  const { t } = useTranslation();
  const members = (group: GroupRowFragment) => agents.filter(({ groupId }) => groupId === group.databaseId);
  return [
    { key: 'name', header: t('groups.field.name'), cell: ({ databaseId, name }) => <OpenLink id={databaseId}>{name}</OpenLink> },
    { key: 'description', header: t('groups.field.description'), cell: row => <span className="quiet">{row.description}</span> },
    { key: 'members', header: t('groups.members'), width: '110px', isNumber: true, cell: row => formatCount(members(row).length) },
    {
      key: 'idle',
      header: t('agentStatus.IDLE'),
      width: '110px',
      isNumber: true,
      cell: row => formatCount(members(row).filter(({ status }) => status === 'IDLE').length),
    },
  ];
}
