import type { EntityManager } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import { AuditRowEntity } from '#model/audit-row.ts';
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
  const insert = (rows: readonly NewAuditRow[]) => db.transaction(({ em }) => insertRows(em, rows));
  const inserts = inGroups(insert);
  // Apart from the others: who looks at something delays nobody who does something.
  const once = inGroups<NewAuditRow>(async rows => void (await db.run(insertUnlessRecent(rows))));
  const opens = inGroups(insert);
  const closes = inGroups<Closing>(async rows => void (await db.run(closeRows(rows))));
  return {
    record: async row => void (await inserts.add(row)),
    recordOnce: row => once.add(row),
    open: row => opens.add(row),
    close: (id, detail) => closes.add({ id, detail }),
  };
}

interface Closing {
  id: number;
  detail: JsonObject;
}

function inGroups<Item, Result = void>(write: (group: readonly Item[]) => Promise<readonly Result[] | void>): MicroBatcher<Item, Result> {
  return new MicroBatcher({ maxBatch: MAX_GROUP, write });
}

/** Their ids, in their order. */
async function insertRows(em: EntityManager, rows: readonly NewAuditRow[]): Promise<number[]> {
  const created = rows.map(row => em.create(AuditRowEntity, row));
  await em.flush();
  return created.map(({ id }) => id);
}

function insertUnlessRecent(rows: readonly NewAuditRow[]): RawBuilder<unknown> {
  const distinct = new Map(rows.map(row => [JSON.stringify([row.actorId, row.actorName, row.action, row.targetType, row.targetId]), row]));
  return sql`
    insert into audit_log (actor_id, actor_name, action, target_type, target_id, summary, detail, ip, request_id)
    select "actorId", "actorName", action, "targetType", "targetId", summary, detail, ip, "requestId"
    from jsonb_to_recordset(${json([...distinct.values()])}) as a("actorId" int, "actorName" text, action text, "targetType" text, "targetId" text,
      summary text, detail jsonb, ip text, "requestId" text)
    where not exists (
      select 1 from audit_log b
      where b.target_type = a."targetType" and b.target_id = a."targetId" and b.action = a.action and b.actor_name = a."actorName"
        and b.actor_id is not distinct from a."actorId" and b.created_at > now() - ${SAME}
        and b.id >= (select c.id from audit_log c where c.created_at > now() - ${SAME} order by c.created_at, c.id limit 1) - ${MAX_GROUP}::int)`;
}

function closeRows(rows: readonly Closing[]): RawBuilder<unknown> {
  return sql`
    update audit_log l set detail = l.detail || c.detail from jsonb_to_recordset(${json(rows)}) as c(id bigint, detail jsonb) where l.id = c.id`;
}
