import { z } from 'zod';
import { MAX_PASSWORD_LENGTH } from '#rules/password.ts';
import { PERMISSION_KEYS, ROLE_KEYS } from '#rules/permissions.ts';
import { isoInstant } from './fields.ts';
import { route } from './route.ts';

/** Id 0 is the built-in admin of a server without authentication (D3.4). */
export const userSummary = z.object({ id: z.int().nonnegative(), username: z.string(), displayName: z.string(), role: z.enum(ROLE_KEYS) });
export type UserSummary = z.output<typeof userSummary>;

const permissions = z.array(z.enum(PERMISSION_KEYS));

export const loginRoute = route({
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
  summary: '登录',
  body: z.object({ username: z.string().trim().min(1).max(100), password: z.string().min(1).max(MAX_PASSWORD_LENGTH) }),
  data: z.object({ token: z.string(), expiresAt: isoInstant, user: userSummary, permissions }),
  bodyLimit: 16 * 1024,
});

export const logoutRoute = route({ method: 'POST', path: '/api/auth/logout', access: 'session', summary: '退出登录', data: userSummary });

/** Never 401 (D3.4), hence public. */
export const meRoute = route({
  method: 'GET',
  path: '/api/auth/me',
  access: 'public',
  summary: '当前用户与权限',
  data: z.object({ authEnabled: z.boolean(), authenticated: z.boolean(), user: userSummary.nullable(), permissions }),
});

export const rolePermissionsRoute = route({
  method: 'GET',
  path: '/api/roles/permissions',
  access: 'session',
  summary: '角色与权限矩阵',
  data: z.object({
    permissions: z.array(z.object({ key: z.enum(PERMISSION_KEYS), label: z.string(), description: z.string() })),
    roles: z.array(z.object({ role: z.enum(ROLE_KEYS), label: z.string(), permissions })),
  }),
});
