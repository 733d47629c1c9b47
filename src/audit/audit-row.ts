import { z } from 'zod';
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
