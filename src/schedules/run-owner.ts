import { sql } from 'kysely';
import { builtInAdmin, type Caller, permissionSetOf, type Role } from '#kernel/caller.ts';
import type { Platform } from '#platform/platform.ts';
import type { FailedRun } from './run-store.ts';

type OwnerApp = { authEnabled: boolean } & Pick<Platform, 'db' | 'ids'>;

interface OwnerRow {
  username: string;
  displayName: string;
  role: Role;
  isEnabled: boolean;
}

/**
 * The owner of a schedule as they are now, whose rights the run has; or why it has none.
 *
 * Source: D14.8
 */
export async function ownerOf(app: OwnerApp, { createdBy }: { createdBy: number | null }): Promise<Caller | FailedRun> {
  const origin = { ip: null, traceId: app.ids() };
  if (!app.authEnabled && createdBy === null) return builtInAdmin(origin);
  const row = createdBy === null ? undefined : await app.db.first(statement(createdBy));
  if (row === undefined) return { reason: 'owner_gone', message: '计划的所有者已删除' };
  const { username, displayName, role, isEnabled } = row;
  if (!isEnabled) return { reason: 'owner_disabled', message: `计划的所有者「${displayName || username}」已停用` };
  return { ...origin, userId: createdBy, name: username, displayName, role, permissions: permissionSetOf(role), sessionId: null };
}

function statement(userId: number) {
  return sql<OwnerRow>`select username, display_name, role, is_enabled from app_user where id = ${userId} and deleted_at is null`;
}
