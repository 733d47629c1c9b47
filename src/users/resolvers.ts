import type { GraphQLResolveInfo } from 'graphql';
import { callerOf, type GraphContext, type UserModel } from '#graph/context.ts';
import type { Loaders } from '#graph/loaders.ts';
import type { CreateUserInput, Resolvers, UpdateUserInput } from '#graph/schema-types.generated.ts';
import { PERMISSIONS, ROLES } from '#kernel/caller.ts';
import { connectionFields, connectTo, searchOf } from '#platform/graphql/connection.ts';
import { parseAsBody, withFlags } from '#platform/graphql/from-route.ts';
import { given, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { createUser, deleteUser, updateUser } from './change-users.ts';
import { changeOwnPassword, meOf } from './own-account.ts';
import { changePasswordRoute, createUserRoute, updateUserRoute } from './routes.ts';
import { userList } from './user-store.ts';
import type { User } from './user.ts';

export const accessResolvers: Resolvers = {
  Query: {
    me: (_root, _args, { deps, caller }) => meOf(caller, deps.authEnabled),
  },
  Me: { timeZone: (_me, _args, { deps }) => deps.timeZone },
  Mutation: {
    changeOwnPassword: async (_root, passwords, context, info) => {
      const caller = callerOf(context, info);
      await changeOwnPassword(context.deps.people, caller, parseAsBody(changePasswordRoute, passwords));
      return meOf(caller, context.deps.authEnabled);
    },
  },
};

export const userResolvers: Resolvers = {
  Query: {
    user: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.users.load(rowIdOf('id', id, { of: 'User' }))),
    users: (_root, { search, filter, ...args }, { deps }) => connectTo(deps, userList, { q: searchOf(search), ...given(filter) }, args),
    rolePermissions: () => ({ permissions: [...PERMISSIONS], roles: ROLES.map(row => ({ ...row, permissions: [...row.permissions] })) }),
  },
  Mutation: {
    createUser: (_root, { input }, context, info) => create(context, info, input),
    updateUser: (_root, { id, input }, context, info) => update(context, info, id, input),
    deleteUser: (_root, { id }, context, info) =>
      deleteUser(context.deps.people, callerOf(context, info), rowIdOf('id', id, { of: 'User' })),
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

async function create(context: GraphContext, info: GraphQLResolveInfo, input: CreateUserInput): Promise<User> {
  return createUser(context.deps.people, callerOf(context, info), parseAsBody(createUserRoute, withFlags(input)));
}

async function update(context: GraphContext, info: GraphQLResolveInfo, id: string, input: UpdateUserInput): Promise<User> {
  return updateUser(
    context.deps.people,
    callerOf(context, info),
    rowIdOf('id', id, { of: 'User' }),
    parseAsBody(updateUserRoute, withFlags(input)),
  );
}
