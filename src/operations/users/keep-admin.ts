import { conflict } from '#kernel/errors.ts';
import type { User } from '#model/user.ts';

/**
 * Refuses a change after which nobody could administer the server.
 *
 * Errors: CONFLICT
 * Source: OCS 4.17 "the last admin"
 */
export function requireAdminLeft(current: User, staysAdmin: boolean, otherAdmins: number): void {
  const isAdmin = current.role === 'admin' && current.isEnabled;
  if (isAdmin && !staysAdmin && otherAdmins === 0) throw conflict('LAST_ADMIN', '不能删除、停用或降级最后一个管理员');
}
