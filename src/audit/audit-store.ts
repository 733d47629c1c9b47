import { defineEntity, p } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import { isUuid } from '#kernel/ids.ts';
import type { JsonObject, JsonValue } from '#kernel/json.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { Database } from '#platform/postgres/database.ts';
import { jsonColumn, stampColumns } from '#platform/postgres/entity-columns.ts';
import { inTime, isFound } from '#platform/postgres/filters.ts';
import { listOf, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, ids, json, uuids } from '#platform/postgres/values.ts';
import { auditRow, type AuditStore, type NewAuditRow } from './audit.ts';
import type { Platform } from '#platform/platform.ts';

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

/** Filters of the list; an undefined filter does not narrow it. */
export interface AuditSearch {
  /** Substring of actor, action, target or summary; '' matches all. */
  q: string;
  actorId?: number | undefined;
  actorName?: string | undefined;
  action?: string | undefined;
  targetType?: string | undefined;
  targetId?: string | undefined;
  /** UTC ms, inclusive. */
  from?: number | undefined;
  /** UTC ms, exclusive. */
  to?: number | undefined;
}

/** Source: OCS 4.1, D3.7 */
export const auditList = listOf(AUDIT_TABLE, auditMatches);

function auditMatches(search: AuditSearch): RawBuilder<unknown> {
  const { actorId, actorName, action, targetType, targetId } = search;
  const given = [
    ...(actorId === undefined ? [] : [sql`actor_id = ${actorId}`]),
    ...(actorName === undefined ? [] : [sql`actor_name = ${actorName}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(targetType === undefined ? [] : [sql`target_type = ${targetType}`]),
    ...(targetId === undefined ? [] : [sql`target_id = ${targetId}`]),
    ...inTime(sql`audit_log`, search),
    isFound(search.q, [sql`actor_name`, sql`action`, sql`target_type`, sql`target_id`, sql`summary`]),
  ];
  return sql.join(given, sql` and `);
}

/** Target of an audit row: its kind and id. */
export interface AuditTarget {
  targetType: string;
  targetId: string;
}

interface TargetName extends AuditTarget {
  name: string;
}

const PERSON = sql`concat_ws(' ', nullif(k.customer_name, ''), a.phone_number)`;
const CALLS = sql`attempt a left join contact k on k.id = a.contact_id`;

/** By kind, a query for the `id` and `name` of the rows among `keys`. */
const NAMES_BY_TARGET: Readonly<Record<string, (keys: readonly string[]) => RawBuilder<unknown>>> = {
  agent: ofTable(sql`agent`),
  agent_group: ofTable(sql`agent_group`),
  campaign: ofTable(sql`campaign`),
  line: ofTable(sql`line`),
  policy: ofTable(sql`policy`),
  business: ofTable(sql`business`, sql`t.business_name`),
  script: ofTable(sql`script`),
  user: ofTable(sql`app_user`, sql`coalesce(nullif(t.display_name, ''), t.username)`),
  contact: ofTable(sql`contact`, sql`concat_ws(' ', nullif(t.customer_name, ''), t.phone_number)`),
  do_not_call: ofTable(sql`do_not_call`, sql`t.phone_number`),
  softphone_call: ofTable(sql`softphone_call`, sql`t.phone_number`),
  batch: keys =>
    sql`select b.id::text as id, c.name from batch b join campaign c on c.id = b.campaign_id where b.id = any(${ids(numbersOf(keys))})`,
  attempt: keys => sql`select a.id::text as id, ${PERSON} as name from ${CALLS} where a.id = any(${ids(numbersOf(keys))})`,
  call: keys =>
    sql`select a.request_id::text as id, ${PERSON} as name from ${CALLS} where a.request_id = any(${uuids(keys.filter(isUuid))})`,
  conference: keys =>
    sql`select s.id::text as id, ${PERSON} as name from conference_session s join (${CALLS}) on a.id = s.attempt_id where s.id = any(${ids(numbersOf(keys))})`,
};

/** Returns the current names of the targets, deleted ones included; targets without a name are left out. */
export async function readTargetNames({ db }: Pick<Platform, 'db'>, targets: readonly AuditTarget[]): Promise<TargetName[]> {
  const named = await Promise.all(
    [...Map.groupBy(targets, ({ targetType }) => targetType)].map(async ([targetType, ofType]) => {
      const select = NAMES_BY_TARGET[targetType];
      if (!select) return [];
      const rows = await db.rows(select(ofType.map(({ targetId }) => targetId)) as RawBuilder<{ id: string; name: string }>);
      return rows.filter(({ name }) => name !== '').map(({ id, name }) => ({ targetType, targetId: id, name }));
    }),
  );
  return named.flat();
}

function ofTable(table: RawBuilder<unknown>, name = sql`t.name`) {
  return (keys: readonly string[]) =>
    sql`select t.id::text as id, ${name} as name from ${table} as t where t.id = any(${ids(numbersOf(keys))})`;
}

/** Drops keys that cannot be row ids. */
function numbersOf(keys: readonly string[]): number[] {
  return keys.filter(key => /^\d{1,15}$/.test(key)).map(Number);
}
