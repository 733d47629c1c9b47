import { defineEntity, p } from '@mikro-orm/core';
import type { DoNotCallEntry } from '#ports/records.ts';
import { at, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'DoNotCallEntity',
  tableName: 'do_not_call',
  properties: {
    id: p.integer().primary().autoincrement(),
    phoneNumber: p.text(),
    dialKey: p.text(),
    reason: p.text().default(''),
    source: p.text().$type<DoNotCallEntry['source']>(),
    expiresAt: at().nullable(),
    createdBy: p.integer().nullable(),
    ...stampColumns(),
  },
});

export class DoNotCallEntity extends schema.class {}
schema.setClass(DoNotCallEntity);
