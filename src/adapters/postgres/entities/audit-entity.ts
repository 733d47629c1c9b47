import { defineEntity, p } from '@mikro-orm/core';
import { anyJson, long, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'AuditEntity',
  tableName: 'audit_log',
  properties: {
    id: long().primary().autoincrement(),
    actorId: p.integer().nullable(),
    actorName: p.text(),
    action: p.text(),
    targetType: p.text(),
    targetId: p.text().nullable(),
    summary: p.text(),
    detail: anyJson(),
    ip: p.text().nullable(),
    requestId: p.text().nullable(),
    ...stampColumns(),
  },
});

export class AuditEntity extends schema.class {}
schema.setClass(AuditEntity);
