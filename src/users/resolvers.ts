import type { UserModel } from '#graph/context.ts';
import type { Loaders } from '#graph/loaders.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { PERMISSIONS, ROLES } from '#kernel/caller.ts';
import { connectionFields, connectTo, searchOf } from '#platform/graphql/connection.ts';
import { fromRoute } from '#graph/from-route.ts';
import { given, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { createUser, deleteUser, updateUser } from './change-users.ts';
import { createUserWithAgent } from './create-with-agent.ts';
import { changeOwnPassword, meOf } from './own-account.ts';
import { changePasswordRoute, createUserRoute, createUserWithAgentRoute, deleteUserRoute, updateUserRoute } from './routes.ts';
import { userList } from './user-store.ts';
import type { User } from './user.ts';

export const accessResolvers: Resolvers = {
  Query: {
    me: (_root, _args, { app, caller }) => meOf(caller, app.authEnabled),
  },
  Me: { timeZone: (_me, _args, { app }) => app.timeZone, region: (_me, _args, { app }) => app.region },
  Mutation: {
    changeOwnPassword: fromRoute(changePasswordRoute, async (app, caller, body) => {
      await changeOwnPassword(app, caller, body);
      return meOf(caller, app.authEnabled);
    }),
  },
};

export const userResolvers: Resolvers = {
  Query: {
    user: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.users.load(rowIdOf('id', id, { of: 'User' }))),
    users: (_root, { search, filter, ...args }, { app }) => connectTo(app, userList, { q: searchOf(search), ...given(filter) }, args),
    rolePermissions: () => ({ permissions: [...PERMISSIONS], roles: ROLES.map(row => ({ ...row, permissions: [...row.permissions] })) }),
  },
  Mutation: {
    createUser: fromRoute(createUserRoute, createUser),
    createUserWithAgent: fromRoute(createUserWithAgentRoute, createUserWithAgent),
    updateUser: fromRoute(updateUserRoute, updateUser),
    deleteUser: fromRoute(deleteUserRoute, deleteUser),
  },
  // The session of a request has fewer members of its user than the row.
  User: {
    isEnabled: async (user, _args, { loaders }) => (await rowOf(user, loaders))?.isEnabled ?? null,
    createdAt: async (user, _args, { loaders }) => (await rowOf(user, loaders))?.createdAt ?? null,
    updatedAt: async (user, _args, { loaders }) => (await rowOf(user, loaders))?.updatedAt ?? null,
  },
  UserConnection: connectionFields(),
};

function rowOf(user: UserModel, loaders: Loaders): User | Promise<User | null> {
  return 'isEnabled' in user ? user : loaders.users.load(user.id);
}
