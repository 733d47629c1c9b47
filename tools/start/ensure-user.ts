import { createUserRoute, listUsersRoute, updateUserRoute } from '#users/routes.ts';
import type { RestClient } from './rest-client.ts';

/** Creates an agent's user, or gives an existing one this password; resolves to the id. */
export async function ensureUser(
  admin: RestClient,
  { username, displayName, password }: { username: string; displayName: string; password: string },
): Promise<number> {
  const { rows } = await admin.call(listUsersRoute, { query: { q: username } });
  const known = rows.find(row => row.username === username);
  if (!known) return (await admin.call(createUserRoute, { body: { username, displayName, role: 'agent', password } })).user.id;
  await admin.call(updateUserRoute, { params: { id: known.id }, body: { password } });
  return known.id;
}
