import { createUserRoute, deleteUserRoute, listUsersRoute, updateUserRoute } from '#contract/rest/users.ts';
import { userList } from '#operations/users/list-users.ts';
import { createUser, deleteUser, updateUser, type WriteUserDeps } from '#operations/users/write-user.ts';
import { readPage } from '#operations/listing.ts';
import { handler, type RestHandler } from './handler.ts';

/** Source: OCS 4.17 */
export function userHandlers(deps: WriteUserDeps): RestHandler[] {
  return [
    handler(listUsersRoute, ({ query }) => readPage(deps, userList, query)),
    handler(createUserRoute, async ({ body, caller }) => ({ user: await createUser(deps, caller, body) })),
    handler(updateUserRoute, async ({ params, body, caller }) => ({
      user: await updateUser(deps, caller, params.id, body),
    })),
    handler(deleteUserRoute, async ({ params, caller }) => ({ user: await deleteUser(deps, caller, params.id) })),
  ];
}
