import { notFound } from '#kernel/errors.ts';
import type { User, UserChanges } from '#model/user.ts';
import type { UserChange, UserStore } from '#ports/user-store.ts';
import { type AuditDeps, auditChange } from '../access/audit.ts';
import { changeOf, masked } from '../access/audited-change.ts';
import type { Caller } from '../access/caller.ts';
import type { Passwords } from '../access/password.ts';
import { endSessionsOf, type SessionDeps } from '../access/sessions.ts';
import { prepareSignOff, type SignOffDeps } from '../agents/sign-off.ts';
import { requireAdminLeft } from './keep-admin.ts';

export interface UpdateUserDeps extends AuditDeps, SessionDeps, SignOffDeps {
  users: Pick<UserStore, 'change' | 'find'>;
  passwords: Pick<Passwords, 'hash' | 'requireFit'>;
}

/**
 * Edits a user. Another role, a new password and disabling end all sessions of the user; the agent of a disabled one is offline.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT for a password that is easily guessed; CONFLICT when no enabled administrator would be left; CACHE_UNAVAILABLE when sessions could not be ended, and nothing
 *         has changed then
 * Source: OCS 4.17, D3.2, D12.1
 */
export async function updateUser(deps: UpdateUserDeps, caller: Caller, userId: number, changes: UserChanges): Promise<User> {
  const { password, ...fields } = changes;
  const passwordHash = password === undefined ? undefined : await hashFit(deps, userId, password);
  const decide = (current: User, otherAdmins: number) => decideChange(current, otherAdmins, { ...fields, passwordHash });
  const signOff = changes.isEnabled === false ? await prepareSignOff(deps, userId) : undefined;
  const changed = await deps.users.change(userId, decide, async () => {
    await endSessionsOf(deps, userId);
    await signOff?.();
  });
  if (changed === null) throw notFound('用户');
  const { before, after } = changed;
  const entry = { action: 'user.updated', targetType: 'user', targetId: userId, summary: `修改用户 ${after.username}` } as const;
  const isReset = password !== undefined;
  const change = changeOf({ ...before, password: masked(true) }, { ...after, password: masked(true, isReset) });
  await auditChange(deps, caller, entry, change);
  return after;
}

async function hashFit(deps: UpdateUserDeps, userId: number, password: string): Promise<string> {
  const found = await deps.users.find(userId);
  await deps.passwords.requireFit({ field: 'password', password, username: found?.user.username ?? '' });
  return deps.passwords.hash(password);
}

function decideChange(current: User, otherAdmins: number, fields: Omit<UserChange, 'endsSessions'>): UserChange {
  const { role = current.role, isEnabled = current.isEnabled } = fields;
  requireAdminLeft(current, role === 'admin' && isEnabled, otherAdmins);
  const isDisabled = current.isEnabled && !isEnabled;
  return { ...fields, endsSessions: isDisabled || role !== current.role || fields.passwordHash !== undefined };
}
