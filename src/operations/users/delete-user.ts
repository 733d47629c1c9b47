import { conflict, notFound } from '#kernel/errors.ts';
import type { User } from '#model/user.ts';
import type { UserStore } from '#ports/user-store.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import { endSessionsOf, type SessionDeps } from '../access/sessions.ts';
import { prepareSignOff, type SignOffDeps } from '../agents/sign-off.ts';
import { requireAdminLeft } from './keep-admin.ts';

export interface DeleteUserDeps extends AuditDeps, SessionDeps, SignOffDeps {
  users: Pick<UserStore, 'change'>;
}

/**
 * Hides a user for good and ends their sessions; what they did stays under their name. Their agent is offline and free for another user.
 *
 * Errors: NOT_FOUND; CONFLICT for oneself and for the last administrator; CACHE_UNAVAILABLE when sessions could not be ended, and nothing
 *         has changed then
 * Source: OCS 4.17, D3.2, D12.1
 */
export async function deleteUser(deps: DeleteUserDeps, caller: Caller, userId: number): Promise<User> {
  if (caller.userId === userId) throw conflict('OWN_USER', '不能删除自己');
  const decide = (current: User, otherAdmins: number) => {
    requireAdminLeft(current, false, otherAdmins);
    return { isDeleted: true as const, endsSessions: true };
  };
  const signOff = await prepareSignOff(deps, userId);
  const changed = await deps.users.change(userId, decide, async () => {
    await endSessionsOf(deps, userId);
    await signOff();
  });
  if (changed === null) throw notFound('用户');
  await audit(deps, caller, {
    action: 'user.deleted',
    targetType: 'user',
    targetId: userId,
    summary: `删除用户 ${changed.before.username}`,
    detail: { role: changed.before.role },
  });
  return changed.after;
}
