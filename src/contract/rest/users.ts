import { z } from 'zod';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#rules/password.ts';
import { MAX_USERNAME_LENGTH } from '#rules/user-name.ts';
import { ROLE_KEYS } from '#rules/permissions.ts';
import { flag01, idParam, pageOf, pageSearchQuery, stamps } from './fields.ts';
import { flag, requiredText, rowId } from '#model/fields.ts';
import { route } from './route.ts';

const MAX_DISPLAY_NAME_LENGTH = 128;

/** Whoever is told of it is an administrator; the password is nowhere. */
export const userRow = z
  .object({
    id: rowId,
    username: z.string(),
    displayName: z.string(),
    role: z.enum(ROLE_KEYS),
    isEnabled: flag01,
    ...stamps,
  })
  .meta({ id: 'User' });

export type UserRow = z.input<typeof userRow>;

/** Blanks count: a password is taken as it is typed. */
const password = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH);
const displayName = z.string().trim().max(MAX_DISPLAY_NAME_LENGTH);
const oneUser = z.object({ user: userRow });

export const listUsersRoute = route({
  method: 'GET',
  path: '/api/users',
  access: 'admin',
  summary: '用户列表',
  query: pageSearchQuery,
  data: pageOf(userRow),
});

export const createUserRoute = route({
  method: 'POST',
  path: '/api/users',
  access: 'admin',
  summary: '新建用户',
  body: z.object({
    username: requiredText(MAX_USERNAME_LENGTH),
    displayName: displayName.optional(),
    role: z.enum(ROLE_KEYS),
    password,
    isEnabled: flag.optional(),
  }),
  data: oneUser,
});

export const updateUserRoute = route({
  method: 'PATCH',
  path: '/api/users/:id',
  access: 'admin',
  summary: '修改用户：角色、启用状态、显示名、重置密码',
  params: idParam,
  body: z.object({ displayName, role: z.enum(ROLE_KEYS), isEnabled: flag, password }).partial(),
  data: oneUser,
});

export const deleteUserRoute = route({
  method: 'DELETE',
  path: '/api/users/:id',
  access: 'admin',
  summary: '删除用户；不能删除自己和最后一个管理员',
  params: idParam,
  data: oneUser,
});
