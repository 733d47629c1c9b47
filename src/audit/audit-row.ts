import { defineEntity, p } from '@mikro-orm/core';
import { z } from 'zod';
import type { JsonValue } from '#kernel/json.ts';
import { json, stampColumns } from '#platform/postgres/entity-columns.ts';
import { bigRowId, rowId, stamps } from '#kernel/fields.ts';

/** An audited action: actor, action and target. Source: D3.7 */
export const auditRow = z
  .object({
    id: bigRowId,
    actorId: rowId.nullable(),
    actorName: z.string(),
    action: z.string().meta({ description: '名词.过去分词，例如 line.updated' }),
    targetType: z.string(),
    targetId: z.string().nullable(),
    summary: z.string(),
    detail: z.json().meta({ description: '按动作而定；修改类动作为 before 与 after：只含改变的字段，密码以 *** 代替' }),
    ip: z.string().nullable(),
    requestId: z.string().nullable(),
    ...stamps,
  })
  .meta({ id: 'AuditLog' });

export type AuditRow = z.output<typeof auditRow>;

const schema = defineEntity({
  name: 'AuditRowEntity',
  tableName: 'audit_log',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    actorId: p.integer().strictNullable(),
    actorName: p.text(),
    action: p.text(),
    targetType: p.text(),
    targetId: p.text().strictNullable(),
    summary: p.text(),
    detail: json<JsonValue>().strictNullable(),
    ip: p.text().strictNullable(),
    requestId: p.text().strictNullable(),
    ...stampColumns(),
  },
});

export class AuditRowEntity extends schema.class {}
schema.setClass(AuditRowEntity);
