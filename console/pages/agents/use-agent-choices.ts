import { useQuery } from '@apollo/client/react';
import { useMe } from '../../api/me.ts';
import { AgentChoicesDocument } from './agents.generated.ts';

interface Choice {
  value: string;
  label: string;
}

export interface AgentChoices {
  groups: readonly Choice[];
  cells: readonly Choice[];
  /** Null when the user may not see users. */
  users: readonly Choice[] | null;
}

/** Groups, cells and users to which an agent can be bound. */
export function useAgentChoices(): AgentChoices {
  const mayUsers = useMe().may('admin') === true;
  const { data } = useQuery(AgentChoicesDocument, { variables: { mayUsers } });
  return {
    groups: (data?.agentGroups ?? []).map(({ databaseId, name }) => ({ value: databaseId, label: name })),
    cells: (data?.runtimeOverview?.cells ?? []).map(({ cellId }) => ({ value: cellId, label: cellId })),
    users: mayUsers
      ? (data?.users?.nodes ?? []).map(({ databaseId, username, displayName }) => ({
          value: databaseId,
          label: displayName === username ? displayName : `${displayName} (${username})`,
        }))
      : null,
  };
}
