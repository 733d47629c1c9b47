import { defineEntity, p } from '@mikro-orm/core';
import type { Role } from '#model/user.ts';
import { at, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'UserEntity',
  tableName: 'app_user',
  properties: {
    id: p.integer().primary().autoincrement(),
    username: p.text(),
    displayName: p.text().default(''),
    role: p.text().$type<Role>(),
    passwordHash: p.text(),
    isEnabled: p.boolean().default(true),
    deletedAt: at().nullable(),
    ...stampColumns(),
  },
});

export class UserEntity extends schema.class {}
schema.setClass(UserEntity);
