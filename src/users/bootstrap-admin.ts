import { randomBytes } from 'node:crypto';
import type { Database } from '#platform/postgres/database.ts';
import { audit, type AuditStore } from '#audit/audit.ts';
import { systemCaller } from '#kernel/caller.ts';
import type { Passwords } from '#access/passwords.ts';
import { normalUserName } from '#kernel/user-name.ts';
import { addFirstUser } from './user-rows.ts';

const GENERATED_BYTES = 15;

/**
 * Creates the first administrator when no user exists.
 *
 * Shape:  null when a user exists; `generatedPassword` is shown once and stored nowhere, null when a password is configured
 * Source: OCS 5 rule 3, D1.3
 */
export async function bootstrapAdmin(
  deps: { db: Database; audit: AuditStore; passwords: Passwords },
  configured: { username: string; password: string | null },
): Promise<{ username: string; generatedPassword: string | null } | null> {
  const password = configured.password ?? randomBytes(GENERATED_BYTES).toString('base64url');
  const passwordHash = await deps.passwords.hash(password);
  const first = {
    username: normalUserName(configured.username),
    displayName: '管理员',
    role: 'admin',
    passwordHash,
    isEnabled: true,
  } as const;
  const user = await addFirstUser(deps.db, first);
  if (!user) return null;
  const entry = { action: 'user.created', targetType: 'user', targetId: user.id, summary: `首次启动创建管理员 ${user.username}` } as const;
  await audit(deps, systemCaller('startup'), entry);
  return { username: user.username, generatedPassword: configured.password === null ? password : null };
}
