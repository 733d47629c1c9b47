import { changePasswordRoute, loginRoute, logoutRoute, meRoute, rolePermissionsRoute, type UserSummary } from './access.ts';
import type { User } from './user.ts';
import { PERMISSIONS, ROLES } from '#kernel/caller.ts';
import type { AuditDeps } from '#audit/audit.ts';
import { changeOwnPassword, type ChangeOwnPasswordDeps } from './change-own-password.ts';
import { login, type LoginDeps } from './login.ts';
import { logout, type SessionDeps } from '#access/sessions.ts';
import { BUILT_IN_ADMIN, sessionUser, whoAmI } from './who-am-i.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

/** Source: OCS 4.2, D3 */
export function accessHandlers(deps: LoginDeps & SessionDeps & AuditDeps & ChangeOwnPasswordDeps): RestHandler[] {
  return [
    handler(loginRoute, async ({ body, caller }) => {
      const opened = await login(deps, body, caller);
      return {
        token: opened.token,
        expiresAt: opened.expiresAt,
        user: presentUser(opened.user),
        permissions: [...opened.permissions],
      };
    }),
    handler(logoutRoute, async ({ token, caller }) => {
      const ended = await logout(deps, caller, token);
      return ended ? sessionUser(ended) : BUILT_IN_ADMIN;
    }),
    handler(changePasswordRoute, async ({ body, caller }) => presentUser(await changeOwnPassword(deps, caller, body))),
    handler(meRoute, ({ token }) => whoAmI(deps, token)),
    handler(rolePermissionsRoute, () => Promise.resolve(ROLE_PERMISSIONS)),
  ];
}

const ROLE_PERMISSIONS = {
  permissions: [...PERMISSIONS],
  roles: ROLES.map(row => ({ ...row, permissions: [...row.permissions] })),
};

function presentUser({ id, username, displayName, role }: User): UserSummary {
  return { id, username, displayName, role };
}
