import { z } from 'zod';
import { logout, type SessionsPart } from '#access/sessions.ts';
import type { AuditPart } from '#audit/audit.ts';
import { PERMISSION_KEYS, PERMISSIONS, ROLE_KEYS, ROLES } from '#kernel/caller.ts';
import { instant } from '#kernel/fields.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#kernel/password-rule.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { endedCookieHeaders, sessionCookieHeaders } from '#platform/http/session-cookie.ts';
import { idParam, pageOf, pageSearchQuery, route } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { agent } from '#agents/agent.ts';
import { createUser, deleteUser, updateUser } from './change-users.ts';
import { createUserWithAgent } from './create-with-agent.ts';
import { login } from './login.ts';
import { BUILT_IN_ADMIN, changeOwnPassword, sessionUser, whoAmI } from './own-account.ts';
import { userList } from './user-store.ts';
import { newUser, newUserWithAgent, user, type User, userChanges } from './user.ts';
import type { CredentialsPart } from '#access/login-limit.ts';
import type { Platform } from '#platform/platform.ts';
import type { AccessAuditPart } from '#audit/access-audit.ts';
import type { App } from '#app/app.ts';

/** Id 0 is the built-in admin of a server without authentication (D3.4). */
const userSummary = z.object({ id: z.int().nonnegative(), username: z.string(), displayName: z.string(), role: z.enum(ROLE_KEYS) });
type UserSummary = z.output<typeof userSummary>;

const permissions = z.array(z.enum(PERMISSION_KEYS));

export const loginRoute = route('POST /api/auth/login', 'public', '登录', {
  body: z.object({ username: z.string().trim().min(1).max(100), password: z.string().min(1).max(MAX_PASSWORD_LENGTH) }),
  data: z.object({ token: z.string(), expiresAt: instant, user: userSummary, permissions }),
  bodyLimit: 16 * 1024,
});

export const logoutRoute = route('POST /api/auth/logout', 'session', '退出登录', { data: userSummary });

/** The old password is accepted as it was set, even if today's rules would refuse it (D3.3). */
export const changePasswordRoute = route('PATCH /api/auth/me/password', 'session', '修改自己的密码；其他会话随之退出', {
  body: z.object({
    oldPassword: z.string().min(1).max(MAX_PASSWORD_LENGTH),
    newPassword: z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH),
  }),
  data: userSummary,
  bodyLimit: 16 * 1024,
});

/** Public, because it never answers 401 (D3.4). */
export const meRoute = route('GET /api/auth/me', 'public', '当前用户与权限', {
  data: z.object({ authEnabled: z.boolean(), authenticated: z.boolean(), user: userSummary.nullable(), permissions }),
});

export const rolePermissionsRoute = route('GET /api/roles/permissions', 'session', '角色与权限矩阵', {
  data: z.object({
    permissions: z.array(z.object({ key: z.enum(PERMISSION_KEYS), label: z.string(), description: z.string() })),
    roles: z.array(z.object({ role: z.enum(ROLE_KEYS), label: z.string(), permissions })),
  }),
});

/** `secureCookies`: browsers reach the server by TLS only, so that the session cookie is sent by TLS only. */
type AccessDoor = AuditPart &
  AccessAuditPart &
  SessionsPart &
  CredentialsPart &
  Pick<Platform, 'db' | 'clock'> & { secureCookies: boolean };

/** Source: OCS 4.2, D3 */
export function accessHandlers(app: AccessDoor): RestHandler[] {
  return [
    handler(loginRoute, async ({ body, caller, usesCookie, setHeaders }) => {
      const opened = await login(app, body, caller);
      if (usesCookie) setHeaders(sessionCookieHeaders(opened.token, app.secureCookies));
      return {
        token: opened.token,
        expiresAt: opened.expiresAt,
        user: presentUser(opened.user),
        permissions: [...opened.permissions],
      };
    }),
    handler(logoutRoute, async ({ token, caller, usesCookie, setHeaders }) => {
      const ended = await logout(app, caller, token);
      if (usesCookie) setHeaders(endedCookieHeaders(app.secureCookies));
      return ended ? sessionUser(ended) : BUILT_IN_ADMIN;
    }),
    handler(changePasswordRoute, async ({ body, caller }) => presentUser(await changeOwnPassword(app, caller, body))),
    handler(meRoute, ({ token }) => whoAmI(app, token)),
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

const oneUser = z.object({ user });

export const listUsersRoute = route('GET /api/users', 'admin', '用户列表', { query: pageSearchQuery, data: pageOf(user) });

export const createUserRoute = route('POST /api/users', 'admin', '新建用户', { body: newUser, data: oneUser });

export const createUserWithAgentRoute = route('POST /api/users/with-agent', 'admin', '新建用户并新建或绑定坐席，全部成功或全部不变', {
  body: newUserWithAgent,
  data: z.object({ user, agent }),
});

export const updateUserRoute = route('PATCH /api/users/:id', 'admin', '修改用户：角色、启用状态、显示名、重置密码', {
  params: idParam,
  body: userChanges,
  data: oneUser,
});

export const deleteUserRoute = route('DELETE /api/users/:id', 'admin', '删除用户；不能删除自己和最后一个管理员', {
  params: idParam,
  data: oneUser,
});

/** Source: OCS 4.17 */
export function userHandlers(app: App): RestHandler[] {
  return [
    handler(listUsersRoute, ({ query }) => readPage(app, userList, query)),
    handler(createUserRoute, async ({ body, caller }) => ({ user: await createUser(app, caller, body) })),
    handler(createUserWithAgentRoute, ({ body, caller }) => createUserWithAgent(app, caller, body)),
    handler(updateUserRoute, async ({ params, body, caller }) => ({
      user: await updateUser(app, caller, params.id, body),
    })),
    handler(deleteUserRoute, async ({ params, caller }) => ({ user: await deleteUser(app, caller, params.id) })),
  ];
}
