import { type RawBuilder, sql } from 'kysely';
import { GroupCommit } from '#kernel/group-commit.ts';
import type { AuditStore, NewAuditRow } from '#ports/audit-store.ts';
import type { AuditRow } from '#ports/records.ts';
import type { Database } from './database.ts';
import { json } from './values.ts';

/** Rows that one statement writes. */
const MAX_GROUP = 100;

/** Rows that come at once are committed together: a burst of claims waits for few commits instead of one each. */
export function auditRepository(db: Database): AuditStore {
  const rows = new GroupCommit<NewAuditRow, void>({
    maxGroup: MAX_GROUP,
    async write(group) {
      await db.run(insertAuditRows(group));
      return group.map(() => undefined);
    },
  });
  return {
    record: row => rows.add(row),
    async list({ page, pageSize, q }) {
      const where = auditMatches(q);
      const [counted, rows] = await Promise.all([
        db.first(sql<{ total: number }>`select count(*) as total from audit_log where ${where}`),
        db.rows(sql<AuditRow>`
          select ${AUDIT_COLUMNS} from audit_log where ${where} order by id desc limit ${pageSize} offset ${(page - 1) * pageSize}`),
      ]);
      return { rows, page, pageSize, total: counted?.total ?? 0 };
    },
  };
}

/** For repositories that audit inside their own transaction: `tx.run(insertAudit(row))`. */
export function insertAudit(row: NewAuditRow): RawBuilder<unknown> {
  return insertAuditRows([row]);
}

function insertAuditRows(rows: readonly NewAuditRow[]): RawBuilder<unknown> {
  return sql`
    insert into audit_log (actor_id, actor_name, action, target_type, target_id, summary, detail, ip, request_id)
    select "actorId", "actorName", action, "targetType", "targetId", summary, detail, ip, "requestId"
    from jsonb_to_recordset(${json(rows)}) as a("actorId" int, "actorName" text, action text, "targetType" text, "targetId" text,
      summary text, detail jsonb, ip text, "requestId" text)`;
}

export const AUDIT_COLUMNS = sql`id, actor_id as "actorId", actor_name as "actorName", action, target_type as "targetType", target_id as "targetId",
  summary, detail, ip, request_id as "requestId", created_at as "createdAt", updated_at as "updatedAt"`;

/** An empty text matches all. */
export function auditMatches(q: string): RawBuilder<unknown> {
  if (q === '') return sql`true`;
  const pattern = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql`(actor_name ilike ${pattern} or action ilike ${pattern} or target_type ilike ${pattern} or target_id ilike ${pattern} or summary ilike ${pattern})`;
}
