import { loginRoute, logoutRoute, meRoute, rolePermissionsRoute, type UserSummary } from '#contract/rest/access.ts';
import type { User } from '#ports/records.ts';
import type { Session } from '#ports/session-store.ts';
import { PERMISSION_KEYS, PERMISSIONS, permissionsOf, ROLES } from '#rules/permissions.ts';
import { login, type LoginDeps } from '#operations/access/login.ts';
import { findSession, logout, type SessionDeps } from '#operations/access/sessions.ts';
import { handler, type RestHandler } from './handler.ts';
import { presentInstant } from './present/instant.ts';

/** Source: OCS 4.2, D3 */
export function accessHandlers(deps: LoginDeps & SessionDeps): RestHandler[] {
  return [
    handler(loginRoute, async ({ body, caller }) => {
      const opened = await login(deps, body, caller);
      return {
        token: opened.token,
        expiresAt: presentInstant(opened.expiresAt),
        user: presentUser(opened.user),
        permissions: [...opened.permissions],
      };
    }),
    handler(logoutRoute, async ({ token }) => {
      const ended = await logout(deps, token);
      return ended ? presentSession(ended) : BUILT_IN_ADMIN;
    }),
    handler(meRoute, ({ token }) => describeMe(deps, token)),
    handler(rolePermissionsRoute, () => Promise.resolve(ROLE_PERMISSIONS)),
  ];
}

const BUILT_IN_ADMIN: UserSummary = { id: 0, username: 'admin', displayName: '管理员', role: 'admin' };

const ROLE_PERMISSIONS = {
  permissions: [...PERMISSIONS],
  roles: ROLES.map(row => ({ ...row, permissions: [...row.permissions] })),
};

async function describeMe(deps: SessionDeps, token: string | null) {
  if (!deps.authEnabled) return { authEnabled: false, authenticated: true, user: BUILT_IN_ADMIN, permissions: [...PERMISSION_KEYS] };
  const session = await findSession(deps, token);
  if (!session) return { authEnabled: true, authenticated: false, user: null, permissions: [] };
  return { authEnabled: true, authenticated: true, user: presentSession(session), permissions: [...permissionsOf(session.role)] };
}

function presentSession(session: Session): UserSummary {
  return { id: session.userId, username: session.username, displayName: session.displayName, role: session.role };
}

function presentUser({ id, username, displayName, role }: User): UserSummary {
  return { id, username, displayName, role };
}
