import { defineEntity, p } from '@mikro-orm/core';
import { at, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'ScriptEntity',
  tableName: 'script',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    businessCode: p.text(),
    description: p.text().default(''),
    isEnabled: p.boolean().default(true),
    currentVersion: p.integer().default(1),
    deletedAt: at().nullable(),
    ...stampColumns(),
  },
});

export class ScriptEntity extends schema.class {}
schema.setClass(ScriptEntity);
