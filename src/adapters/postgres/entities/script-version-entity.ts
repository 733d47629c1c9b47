import { defineEntity, p } from '@mikro-orm/core';
import { object, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'ScriptVersionEntity',
  tableName: 'script_version',
  properties: {
    id: p.integer().primary().autoincrement(),
    scriptId: p.integer(),
    version: p.integer(),
    hash: p.text(),
    body: object(),
    runtime: object(),
    createdBy: p.integer().nullable(),
    ...stampColumns(),
  },
});

export class ScriptVersionEntity extends schema.class {}
schema.setClass(ScriptVersionEntity);
