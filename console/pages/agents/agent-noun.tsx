import { useTranslation } from 'react-i18next';
import type { Field } from '../../form/fields.tsx';
import { emptyAsNull, type Noun } from '../../form/noun.ts';
import { useCommands } from '../../form/use-commands.ts';
import { usePermissionMissing } from '../../ui/use-disabled-reason.ts';
import { AgentFacts } from './agent-facts.tsx';
import {
  AgentDocument,
  type AgentRowFragment,
  CreateAgentDocument,
  type CreateAgentMutationVariables,
  DeleteAgentDocument,
  UpdateAgentDocument,
} from './agents.generated.ts';
import type { AgentChoices } from './use-agent-choices.ts';

interface AgentValues {
  name: string;
  groupId: string;
  userId: string;
  phoneExtension: string;
  cellId: string;
  /** The server never returns it; empty leaves it unchanged. */
  authUsername: string;
  sipPassword: string;
}

function valuesOf(agent: AgentRowFragment | null): AgentValues {
  return {
    name: agent?.name ?? '',
    groupId: agent?.groupId ?? '',
    userId: agent?.userId ?? '',
    phoneExtension: agent?.phoneExtension ?? '',
    cellId: agent?.cellId ?? '',
    authUsername: '',
    sipPassword: '',
  };
}

function inputOf(values: Partial<AgentValues>) {
  return emptyAsNull(values, ['groupId', 'userId', 'cellId']) as unknown as CreateAgentMutationVariables['input'];
}

/** Input for a new agent: empty fields are left out. */
function newAgent({ authUsername, sipPassword, ...values }: AgentValues) {
  return inputOf({ ...values, ...(authUsername ? { authUsername } : {}), ...(sipPassword ? { sipPassword } : {}) });
}

/** Agents with their form and actions; the list follows every change through its stream. */
export function useAgentNoun(choices: AgentChoices): Noun<AgentRowFragment, AgentValues> {
  const { run, read } = useCommands();
  const fields = useFields(choices);
  return {
    text: 'agents',
    needs: 'agent:write',
    auditedAs: 'agent',
    nameOf: ({ name }) => name,
    fields,
    valuesOf,
    listChanged: () => undefined,
    create: values => run(CreateAgentDocument, { input: newAgent(values) }),
    update: ({ databaseId: id }, changes) => run(UpdateAgentDocument, { id, input: inputOf(changes) }),
    reload: async ({ databaseId: id }) => (await read(AgentDocument, { id }))?.agent ?? null,
    remove: ({ databaseId: id }) => run(DeleteAgentDocument, { id }),
    power: {
      isEnabled: ({ isEnabled }) => isEnabled,
      set: ({ databaseId: id }, isEnabled) => run(UpdateAgentDocument, { id, input: { isEnabled } }),
      warning: 'agents.disableLoses',
    },
    facts: agent => <AgentFacts agent={agent} />,
  };
}

function useFields({ groups, cells, users }: AgentChoices): (agent: AgentRowFragment | null) => Field<AgentValues>[] {
  const { t } = useTranslation();
  const lacks = usePermissionMissing();
  const ofAgent = (agent: AgentRowFragment | null) =>
    agent?.user ? [{ value: agent.user.databaseId, label: agent.user.displayName }] : [];
  return agent => [
    { kind: 'text', name: 'name', maxLength: 128, isNeeded: true },
    { kind: 'choice', name: 'groupId', choices: groups, any: t('agents.noGroup') },
    {
      kind: 'choice',
      name: 'userId',
      choices: users ?? ofAgent(agent),
      any: t('agents.noUser'),
      hasAbout: true,
      fixed: users === null ? lacks('admin') : null,
    },
    { kind: 'text', name: 'phoneExtension', maxLength: 32, hasAbout: true },
    { kind: 'choice', name: 'cellId', choices: cells, any: t('agents.anyCell') },
    { kind: 'text', name: 'authUsername', maxLength: 128, hasAbout: true },
    { kind: 'secret', name: 'sipPassword', maxLength: 200, hasAbout: true },
  ];
}
