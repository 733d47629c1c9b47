import { useTranslation } from 'react-i18next';
import type { Field } from '../../form/fields.tsx';
import { type Answer, type Noun, withoutPrefix } from '../../form/noun.ts';
import { useCommands } from '../../form/use-commands.ts';
import { ROLES, RoleFacts } from './role-table.tsx';
import { UserAgent } from './user-agent.tsx';
import { agentKindOf, userChangesOf, userInputOf, type UserValues, valuesOf, withAgentInputOf } from './user-values.ts';
import {
  CreateUserDocument,
  CreateUserWithAgentDocument,
  DeleteUserDocument,
  UpdateUserDocument,
  UserDocument,
  type UserRowFragment,
} from './users.generated.ts';

/** Users with their form and actions. */
export function useUserNoun(listChanged: () => unknown): Noun<UserRowFragment, UserValues> {
  const { t } = useTranslation();
  const { run, read } = useCommands();
  const withAgent = async (values: UserValues): Promise<Answer> => {
    const result = await run(CreateUserWithAgentDocument, { input: withAgentInputOf(values) });
    return result?.__typename === 'UserWithAgent' ? result.user : withoutPrefix('agent.', result);
  };
  const fields = (user: UserRowFragment | null): Field<UserValues>[] => [
    { kind: 'text', name: 'username', maxLength: 100, isNeeded: true, fixed: user && t('users.about.username') },
    { kind: 'text', name: 'displayName', maxLength: 128 },
    {
      kind: 'choice',
      name: 'role',
      isNeeded: true,
      hasAbout: user !== null,
      choices: ROLES.map(value => ({ value, label: t(`roles.${value}`) })),
    },
    { kind: 'secret', name: 'password', maxLength: 200, isNeeded: user === null, hasAbout: user === null ? 'newPassword' : true },
    ...(user === null ? [{ kind: 'own', name: 'agentKind', draw: form => <UserAgent form={form} /> } satisfies Field<UserValues>] : []),
  ];
  return {
    text: 'users',
    needs: 'admin',
    auditedAs: 'user',
    nameOf: ({ displayName, username }) => displayName || (username ?? ''),
    fields,
    valuesOf,
    listChanged,
    create: values => (agentKindOf(values) === 'NONE' ? run(CreateUserDocument, { input: userInputOf(values) }) : withAgent(values)),
    update: ({ databaseId: id }, changes) => run(UpdateUserDocument, { id, input: userChangesOf(changes) }),
    reload: async ({ databaseId: id }) => (await read(UserDocument, { id }))?.user ?? null,
    remove: ({ databaseId: id }) => run(DeleteUserDocument, { id }),
    power: {
      isEnabled: ({ isEnabled }) => isEnabled === true,
      set: ({ databaseId: id }, isEnabled) => run(UpdateUserDocument, { id, input: { isEnabled } }),
      warning: 'users.disableLoses',
    },
    more: ({ role }) => role && <RoleFacts role={role} />,
  };
}
