import { z } from 'zod';
import { instant } from '#kernel/fields.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#kernel/password-rule.ts';
import { PERMISSION_KEYS, ROLE_KEYS } from '#kernel/caller.ts';
import { route } from '#platform/http/route.ts';

/** Id 0 is the built-in admin of a server without authentication (D3.4). */
export const userSummary = z.object({ id: z.int().nonnegative(), username: z.string(), displayName: z.string(), role: z.enum(ROLE_KEYS) });
export type UserSummary = z.output<typeof userSummary>;

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
