import { useTranslation } from 'react-i18next';
import type { Field } from '../../form/fields.tsx';
import { type Answer, type Noun, withoutPrefix } from '../../form/noun.ts';
import { useCommands } from '../../form/use-commands.ts';
import { usePermissionMissing } from '../../ui/use-disabled-reason.ts';
import { CreateUserWithAgentDocument } from '../users/users.generated.ts';
import { AgentFacts } from './agent-facts.tsx';
import { AgentDocument, type AgentRowFragment, CreateAgentDocument, DeleteAgentDocument, UpdateAgentDocument } from './agents.generated.ts';
import { type AgentValues, inputOf, NEW_USER, newAgentOf, newUserOf, valuesOf } from './agent-values.ts';
import { NewUser } from './new-user.tsx';
import type { AgentChoices } from './use-agent-choices.ts';

/** Agents with their form and actions; the list follows every change through its stream. */
export function useAgentNoun(choices: AgentChoices): Noun<AgentRowFragment, AgentValues> {
  const { run, read } = useCommands();
  const fields = useFields(choices);
  const withUser = async (values: AgentValues): Promise<Answer> => {
    const result = await run(CreateUserWithAgentDocument, { input: newUserOf(values) });
    return result?.__typename === 'UserWithAgent' ? result.agent : withoutPrefix('agent.', result);
  };
  return {
    text: 'agents',
    needs: 'agent:write',
    auditedAs: 'agent',
    nameOf: ({ name }) => name,
    fields,
    valuesOf,
    listChanged: () => undefined,
    create: values => (values.userId === NEW_USER ? withUser(values) : run(CreateAgentDocument, { input: newAgentOf(values) })),
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
      choices:
        users === null ? ofAgent(agent) : agent === null ? [{ value: NEW_USER, label: t('agents.field.username') }, ...users] : users,
      any: t('agents.noUser'),
      hasAbout: true,
      fixed: users === null ? lacks('admin') : null,
    },
    ...(agent === null ? [{ kind: 'own', name: 'username', draw: form => <NewUser form={form} /> } satisfies Field<AgentValues>] : []),
    { kind: 'text', name: 'phoneExtension', maxLength: 32, hasAbout: true },
    { kind: 'choice', name: 'cellId', choices: cells, any: t('agents.anyCell') },
    { kind: 'text', name: 'authUsername', maxLength: 128, hasAbout: true },
    { kind: 'secret', name: 'sipPassword', maxLength: 200, hasAbout: true },
  ];
}
