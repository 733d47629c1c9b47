import { z } from 'zod';
import { newUser, user, userChanges } from './user.ts';
import { idParam, pageOf, pageSearchQuery, route } from '#platform/http/route.ts';

const oneUser = z.object({ user });

export const listUsersRoute = route('GET /api/users', 'admin', '用户列表', { query: pageSearchQuery, data: pageOf(user) });

export const createUserRoute = route('POST /api/users', 'admin', '新建用户', { body: newUser, data: oneUser });

export const updateUserRoute = route('PATCH /api/users/:id', 'admin', '修改用户：角色、启用状态、显示名、重置密码', {
  params: idParam,
  body: userChanges,
  data: oneUser,
});

export const deleteUserRoute = route('DELETE /api/users/:id', 'admin', '删除用户；不能删除自己和最后一个管理员', {
  params: idParam,
  data: oneUser,
});
