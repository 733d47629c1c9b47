import { type RawBuilder, sql } from 'kysely';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { AuditStore, NewAuditRow } from './ports-audit-store.ts';
import type { JsonObject, JsonValue } from '#kernel/json.ts';
import type { Database } from '#platform/postgres/database.ts';
import { columnsOf, json } from '#platform/postgres/values.ts';
import { defineEntity, p } from '@mikro-orm/core';
import { jsonColumn, stampColumns } from '#platform/postgres/entity-columns.ts';
import { auditRow } from './audit-row.ts';
import type { Table } from '#platform/postgres/listing.ts';

export const AUDIT_TABLE = { columns: columnsOf(auditRow), from: sql`audit_log`, id: sql`id`, exists: sql`true` } satisfies Table<unknown>;

/** Limit of rows per statement. */
const MAX_GROUP = 100;

/** Within this time a repeated action adds no row. */
const SAME = sql`interval '5 minutes'`;

/** Concurrent rows are committed together, so that a burst of claims waits for a few commits instead of one each. */
export function auditRepository(db: Database): AuditStore {
  const insert = (rows: readonly NewAuditRow[]) => insertRows(db, rows);
  const inserts = inGroups(insert);
  // A separate batch: logging of views must not delay the logging of changes.
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

/** Returns the ids, in the order of the rows. */
async function insertRows(db: Database, rows: readonly NewAuditRow[]): Promise<number[]> {
  const inserted = await db.hot.rows(sql<{ id: number }>`
    insert into audit_log (${COLUMNS}) select ${VALUES} from rows from (${given(rows)}) with ordinality as a(${FIELD_NAMES}, place) order by place returning id`);
  return inserted.map(({ id }) => id).sort((a, b) => a - b);
}

const COLUMNS = sql`actor_id, actor_name, action, target_type, target_id, summary, detail, ip, request_id`;
const FIELD_NAMES = sql`"actorId", "actorName", action, "targetType", "targetId", summary, detail, ip, "requestId"`;
const VALUES = sql`a."actorId", a."actorName", a.action, a."targetType", a."targetId", a.summary, a.detail, a.ip, a."requestId"`;

function given(rows: readonly NewAuditRow[]): RawBuilder<unknown> {
  return sql`jsonb_to_recordset(${json(rows)}) as ("actorId" int, "actorName" text, action text, "targetType" text, "targetId" text, summary text,
    detail jsonb, ip text, "requestId" text)`;
}

function insertUnlessRecent(rows: readonly NewAuditRow[]): RawBuilder<unknown> {
  const distinct = new Map(rows.map(row => [JSON.stringify([row.actorId, row.actorName, row.action, row.targetType, row.targetId]), row]));
  return sql`
    insert into audit_log (${COLUMNS}) select ${VALUES} from rows from (${given([...distinct.values()])}) as a(${FIELD_NAMES})
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
    detail: jsonColumn<JsonValue>().strictNullable(),
    ip: p.text().strictNullable(),
    requestId: p.text().strictNullable(),
    ...stampColumns(),
  },
});

export class AuditRowEntity extends schema.class {}

schema.setClass(AuditRowEntity);
