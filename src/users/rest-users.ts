import { createUserRoute, deleteUserRoute, listUsersRoute, updateUserRoute } from './users.ts';
import { userList } from './list-users.ts';
import { createUser, deleteUser, updateUser, type WriteUserDeps } from './change-users.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

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
