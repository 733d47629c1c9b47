import { useTranslation } from 'react-i18next';
import type { Field } from '../../form/fields.tsx';
import type { Noun } from '../../form/noun.ts';
import { useCommands } from '../../form/use-commands.ts';
import { ROLES, type Role, RoleFacts } from './role-table.tsx';
import { CreateUserDocument, DeleteUserDocument, UpdateUserDocument, UserDocument, type UserRowFragment } from './users.generated.ts';

interface UserValues {
  username: string;
  displayName: string;
  role: Role;
  /** Empty for an existing user: the password stays. */
  password: string;
}

function valuesOf(user: UserRowFragment | null): UserValues {
  return { username: user?.username ?? '', displayName: user?.displayName ?? '', role: user?.role ?? 'AGENT', password: '' };
}

/** Users with their form and actions. */
export function useUserNoun(listChanged: () => unknown): Noun<UserRowFragment, UserValues> {
  const { t } = useTranslation();
  const { run, read } = useCommands();
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
  ];
  return {
    text: 'users',
    needs: 'admin',
    auditedAs: 'user',
    nameOf: ({ displayName, username }) => displayName || (username ?? ''),
    fields,
    valuesOf,
    listChanged,
    create: values => run(CreateUserDocument, { input: { ...values, displayName: values.displayName || null } }),
    update: ({ databaseId: id }, { username: _stays, ...input }) => run(UpdateUserDocument, { id, input }),
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
