import { type RawBuilder, sql } from 'kysely';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { AuditStore, NewAuditRow } from '#ports/audit-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { Database } from './database.ts';
import { json } from './values.ts';

/** Rows that one statement writes. */
const MAX_GROUP = 100;

/** The same again within this adds no row. */
const SAME = sql`interval '5 minutes'`;

/** Rows that come at once are committed together: a burst of claims waits for few commits instead of one each. */
export function auditRepository(db: Database): AuditStore {
  const inserts = writesOf((group: readonly NewAuditRow[]) => db.run(insertAuditRows(group)));
  // Apart from the others: who looks at something delays nobody who does something.
  const once = writesOf((group: readonly NewAuditRow[]) => db.run(insertUnlessRecent(group)));
  const closes = writesOf((group: readonly Closing[]) => db.run(closeRows(group)));
  // In turn: many who come back at once take one connection.
  const opens = new MicroBatcher<NewAuditRow, number>({ maxBatch: 1, write: group => Promise.all(group.map(row => openRow(db, row))) });
  return {
    record: row => inserts.add(row),
    recordOnce: row => once.add(row),
    open: row => opens.add(row),
    close: (id, detail) => closes.add({ id, detail }),
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

interface Closing {
  id: number;
  detail: JsonObject;
}

function writesOf<Item>(write: (group: readonly Item[]) => Promise<unknown>): MicroBatcher<Item> {
  return new MicroBatcher({ maxBatch: MAX_GROUP, write: async group => void (await write(group)) });
}

function insertUnlessRecent(rows: readonly NewAuditRow[]): RawBuilder<unknown> {
  const distinct = new Map(rows.map(row => [JSON.stringify([row.actorId, row.actorName, row.action, row.targetType, row.targetId]), row]));
  return sql`${insertAuditRows([...distinct.values()])}
    where not exists (
      select 1 from audit_log b
      where b.target_type = a."targetType" and b.target_id = a."targetId" and b.action = a.action and b.actor_name = a."actorName"
        and b.actor_id is not distinct from a."actorId" and b.created_at > now() - ${SAME}
        and b.id >= (select c.id from audit_log c where c.created_at > now() - ${SAME} order by c.created_at, c.id limit 1) - ${MAX_GROUP}::int)`;
}

async function openRow(db: Database, row: NewAuditRow): Promise<number> {
  const opened = await db.first(sql<{ id: number }>`${insertAuditRows([row])} returning id`);
  if (!opened) throw new Error('an insert returned no row');
  return opened.id;
}

function closeRows(group: readonly Closing[]): RawBuilder<unknown> {
  return sql`
    update audit_log l set detail = l.detail || c.detail from jsonb_to_recordset(${json(group)}) as c(id bigint, detail jsonb) where l.id = c.id`;
}
