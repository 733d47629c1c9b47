import { conflict } from '#kernel/errors.ts';
import type { Role, User } from '#ports/records.ts';
import type { UserStore } from '#ports/user-store.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import type { Passwords } from '../access/password.ts';

export interface CreateUserDeps extends AuditDeps {
  users: Pick<UserStore, 'create'>;
  passwords: Pick<Passwords, 'hash'>;
}

export interface UserInput {
  username: string;
  /** The user name when absent or empty. */
  displayName?: string | undefined;
  role: Role;
  password: string;
  /** True when absent. */
  isEnabled?: boolean | undefined;
}

/**
 * Errors: CONFLICT when the name is taken, letter case aside; RATE_LIMITED when too many passwords are being hashed
 * Source: OCS 4.17, D3.3
 */
export async function createUser(deps: CreateUserDeps, caller: Caller, input: UserInput): Promise<User> {
  const { username, role, isEnabled = true } = input;
  const passwordHash = await deps.passwords.hash(input.password);
  const user = await deps.users.create({ username, displayName: input.displayName || username, role, isEnabled, passwordHash });
  if (user === 'username_taken') throw conflict(`用户名 ${username} 已存在`);
  await audit(deps, caller, {
    action: 'user.created',
    targetType: 'user',
    targetId: user.id,
    summary: `新建用户 ${user.username}`,
    detail: { role: user.role, isEnabled: user.isEnabled },
  });
  return user;
}
