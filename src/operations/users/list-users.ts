import type { Page, PageRequest, User } from '#ports/records.ts';
import type { UserStore } from '#ports/user-store.ts';

/** Source: OCS 4.17 */
export function listUsers(deps: { users: Pick<UserStore, 'list'> }, query: PageRequest & { q: string }): Promise<Page<User>> {
  return deps.users.list(query);
}
