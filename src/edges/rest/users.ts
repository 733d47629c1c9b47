import { createUserRoute, deleteUserRoute, listUsersRoute, updateUserRoute } from '#contract/rest/users.ts';
import { type ChangeOwnPasswordDeps } from '#operations/access/change-own-password.ts';
import { createUser, type CreateUserDeps } from '#operations/users/create-user.ts';
import { deleteUser, type DeleteUserDeps } from '#operations/users/delete-user.ts';
import { userList } from '#operations/users/list-users.ts';
import { updateUser, type UpdateUserDeps } from '#operations/users/update-user.ts';
import type { UserStore } from '#ports/user-store.ts';
import { type ListDeps, readPage } from '#operations/listing.ts';
import { handler, type RestHandler } from './handler.ts';

export type UserHandlerDeps = CreateUserDeps & UpdateUserDeps & DeleteUserDeps & ChangeOwnPasswordDeps & ListDeps & { users: UserStore };

/** Source: OCS 4.17 */
export function userHandlers(deps: UserHandlerDeps): RestHandler[] {
  return [
    handler(listUsersRoute, ({ query }) => readPage(deps, userList, query)),
    handler(createUserRoute, async ({ body, caller }) => ({ user: await createUser(deps, caller, body) })),
    handler(updateUserRoute, async ({ params, body, caller }) => ({
      user: await updateUser(deps, caller, params.id, body),
    })),
    handler(deleteUserRoute, async ({ params, caller }) => ({ user: await deleteUser(deps, caller, params.id) })),
  ];
}
