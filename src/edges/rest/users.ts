import { createUserRoute, deleteUserRoute, listUsersRoute, updateUserRoute, type UserRow } from '#contract/rest/users.ts';
import { type ChangeOwnPasswordDeps } from '#operations/access/change-own-password.ts';
import { createUser, type CreateUserDeps } from '#operations/users/create-user.ts';
import { deleteUser, type DeleteUserDeps } from '#operations/users/delete-user.ts';
import { userList } from '#operations/users/list-users.ts';
import { updateUser, type UpdateUserDeps } from '#operations/users/update-user.ts';
import type { User } from '#ports/records.ts';
import type { UserStore } from '#ports/user-store.ts';
import { type ListDeps, readPage } from '#operations/listing.ts';
import { handler, type RestHandler } from './handler.ts';
import { presentFlag } from './present/flag.ts';
import { presentInstant } from './present/instant.ts';

export type UserHandlerDeps = CreateUserDeps & UpdateUserDeps & DeleteUserDeps & ChangeOwnPasswordDeps & ListDeps & { users: UserStore };

/** Source: OCS 4.17 */
export function userHandlers(deps: UserHandlerDeps): RestHandler[] {
  return [
    handler(listUsersRoute, async ({ query }) => {
      const { rows, ...page } = await readPage(deps, userList, query);
      return { rows: rows.map(presentUser), ...page };
    }),
    handler(createUserRoute, async ({ body, caller }) => ({ user: presentUser(await createUser(deps, caller, body)) })),
    handler(updateUserRoute, async ({ params, body, caller }) => ({
      user: presentUser(await updateUser(deps, caller, params.id, body)),
    })),
    handler(deleteUserRoute, async ({ params, caller }) => ({ user: presentUser(await deleteUser(deps, caller, params.id)) })),
  ];
}

function presentUser({ id, username, displayName, role, isEnabled, createdAt, updatedAt }: User): UserRow {
  return {
    id,
    username,
    displayName,
    role,
    isEnabled: presentFlag(isEnabled),
    createdAt: presentInstant(createdAt),
    updatedAt: presentInstant(updatedAt),
  };
}
