import { defineEntity, p } from '@mikro-orm/core';
import type { BatchStatus } from '#ports/records.ts';
import { at, long, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'BatchEntity',
  tableName: 'batch',
  properties: {
    id: long().primary().autoincrement(),
    campaignId: p.integer(),
    status: p.text().$type<BatchStatus>().default('running'),
    source: p.text().$type<'auto' | 'manual'>(),
    requestedLimit: p.integer(),
    effectiveLimit: p.integer(),
    requested: p.integer().default(0),
    submitted: p.integer().default(0),
    failed: p.integer().default(0),
    createdBy: p.integer().nullable(),
    finishedAt: at().nullable(),
    ...stampColumns(),
  },
});

export class BatchEntity extends schema.class {}
schema.setClass(BatchEntity);
