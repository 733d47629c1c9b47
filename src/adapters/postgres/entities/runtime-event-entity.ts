import { defineEntity, p } from '@mikro-orm/core';
import type { RuntimeEventLevel } from '#ports/records.ts';
import { anyJson, at, long, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'RuntimeEventEntity',
  tableName: 'runtime_event',
  properties: {
    id: long().primary().autoincrement(),
    level: p.text().$type<RuntimeEventLevel>(),
    type: p.text(),
    title: p.text(),
    message: p.text().default(''),
    campaignId: p.integer().nullable(),
    attemptId: long().nullable(),
    cellId: p.text().nullable(),
    detail: anyJson(),
    dedupeKey: p.text().nullable(),
    acknowledgedAt: at().nullable(),
    acknowledgedBy: p.integer().nullable(),
    ...stampColumns(),
  },
});

export class RuntimeEventEntity extends schema.class {}
schema.setClass(RuntimeEventEntity);
