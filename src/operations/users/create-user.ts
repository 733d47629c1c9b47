import { conflict, invalidArgument } from '#kernel/errors.ts';
import type { User, UserInput } from '#model/user.ts';
import type { UserStore } from '#ports/user-store.ts';
import { MAX_USERNAME_LENGTH, normalUserName, userNameProblem } from '#rules/user-name.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import type { Passwords } from '../access/password.ts';

export interface CreateUserDeps extends AuditDeps {
  users: Pick<UserStore, 'create'>;
  passwords: Pick<Passwords, 'hash' | 'requireFit'>;
}

/** D3.3 limits what a name may be; NFKC may have made it longer. */
function requireUserName(typed: string): string {
  const username = normalUserName(typed);
  const problem = username.length > MAX_USERNAME_LENGTH ? `最多 ${MAX_USERNAME_LENGTH} 个字符` : userNameProblem(username);
  if (problem !== null) throw invalidArgument('username', problem);
  return username;
}

/**
 * Errors: INVALID_ARGUMENT for a name that is a disguise and for a password that is easily guessed; CONFLICT when the name is taken, letter case aside; RATE_LIMITED when too many passwords are being hashed
 * Source: OCS 4.17, D3.3
 */
export async function createUser(deps: CreateUserDeps, caller: Caller, input: UserInput): Promise<User> {
  const { role, isEnabled = true } = input;
  const username = requireUserName(input.username);
  await deps.passwords.requireFit({ field: 'password', password: input.password, username });
  const passwordHash = await deps.passwords.hash(input.password);
  const user = await deps.users.create({ username, displayName: input.displayName || username, role, isEnabled, passwordHash });
  if (user === 'username_taken') throw conflict('USERNAME_TAKEN', `用户名 ${username} 已存在`, 'username');
  await audit(deps, caller, {
    action: 'user.created',
    targetType: 'user',
    targetId: user.id,
    summary: `新建用户 ${user.username}`,
    detail: { role: user.role, isEnabled: user.isEnabled },
  });
  return user;
}
