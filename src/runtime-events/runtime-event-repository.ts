import { sql } from 'kysely';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import { type RuntimeEvent, runtimeEvent } from './runtime-event.ts';
import { columnsOf, json } from '#platform/postgres/values.ts';
import type { NewRuntimeEvent, RuntimeEventChange, RuntimeEventSignals, RuntimeEventStore } from './runtime-event-store.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';

const COLUMNS = columnsOf(runtimeEvent, 'e');

/** Limit of events per statement. */
const MAX_GROUP = 100;
/** Key for `pg_advisory_xact_lock`: positions are assigned by one transaction at a time, until it commits. */
const POSITIONS_LOCK = 7_225_544;
/** Join it wherever positions are assigned. Otherwise a lower position could become visible after a client has resumed from a higher one. */
const IN_TURN = sql`(select pg_advisory_xact_lock(${POSITIONS_LOCK}) is null as taken) as turn`;

/** Signals after each write, once for a whole burst; the feed's poll covers lost signals. */
export function runtimeEventRepository(db: Database, signals: Pick<RuntimeEventSignals, 'publish'>): RuntimeEventStore {
  const events = new MicroBatcher<NewRuntimeEvent, RuntimeEvent | undefined>({
    maxBatch: MAX_GROUP,
    async write(group) {
      const written = await insertEvents(db, group);
      if (written.some(event => event)) signals.publish();
      return written;
    },
  });
  return {
    record: async event => (await events.add(event)) ?? (await findByKey(db, event.dedupeKey ?? '')),
    recent: limit => db.rows(sql<RuntimeEvent>`select ${COLUMNS} from runtime_event e order by e.id desc limit ${limit}`),
    async lastOfCell(cellId, type) {
      const row = await db.first(sql<{ id: number }>`
        select id from runtime_event where cell_id = ${cellId} and type = ${type} order by id desc limit 1`);
      return row?.id ?? null;
    },
    async lastOfDependency(name, type) {
      // Both types are literals, because with a parameter the planner would not use the partial index.
      const row = await db.first(sql<{ id: number }>`
        select id from runtime_event
        where type in ('dependency.down', 'dependency.up') and type = ${type} and detail->>'name' = ${name} order by id desc limit 1`);
      return row?.id ?? null;
    },
    async acknowledge(eventId, userId) {
      const acknowledged = await acknowledge(db, eventId, userId);
      if (acknowledged?.first) signals.publish();
      return acknowledged;
    },
    changesAfter: (position, limit) => changesAfter(db, position, limit),
    async lastPosition() {
      const row = await db.first(sql<{ position: number }>`
        select greatest((select max(id) from runtime_event), (select max(acknowledged_seq) from runtime_event), 0) as position`);
      return row?.position ?? 0;
    },
  };
}

type KeyedEvent = RuntimeEvent & { dedupeKey: string | null };

/** In the order of `events`; undefined for a duplicate. */
async function insertEvents(db: Database, events: readonly NewRuntimeEvent[]): Promise<(RuntimeEvent | undefined)[]> {
  const rows = await db.hot.rows(sql<KeyedEvent>`
    insert into runtime_event as e (level, type, title, message, campaign_id, attempt_id, cell_id, detail, dedupe_key)
    select level, type, title, coalesce(message, ''), "campaignId", "attemptId", "cellId", detail, "dedupeKey"
    from rows from (jsonb_to_recordset(${json(events)}) as (level text, type text, title text, message text, "campaignId" int, "attemptId" bigint,
      "cellId" text, detail jsonb, "dedupeKey" text)) with ordinality as given (level, type, title, message, "campaignId", "attemptId", "cellId",
      detail, "dedupeKey", place)
    cross join ${IN_TURN} order by place
    on conflict (dedupe_key) do nothing returning ${COLUMNS}, e.dedupe_key`);
  rows.sort((a, b) => a.id - b.id);
  return events.map(({ dedupeKey = null }) => {
    const index = rows.findIndex(row => row.dedupeKey === dedupeKey);
    if (index < 0) return undefined;
    const [{ dedupeKey: _, ...event }] = rows.splice(index, 1) as [KeyedEvent];
    return event;
  });
}

async function findByKey(db: Sql, dedupeKey: string): Promise<RuntimeEvent> {
  const row = await db.first(sql<RuntimeEvent>`select ${COLUMNS} from runtime_event e where e.dedupe_key = ${dedupeKey}`);
  if (!row) throw new Error('an event refused as a repetition does not exist');
  return row;
}

async function acknowledge(db: Sql, eventId: number, userId: number | null): Promise<{ event: RuntimeEvent; first: boolean } | null> {
  const marked = await db.first(sql<RuntimeEvent>`
    update runtime_event e set acknowledged_at = now(), acknowledged_by = ${userId},
      acknowledged_seq = nextval(pg_get_serial_sequence('runtime_event', 'id'))
    from ${IN_TURN} where e.id = ${eventId} and e.acknowledged_at is null returning ${COLUMNS}`);
  if (marked) return { event: marked, first: true };
  const event = await db.first(sql<RuntimeEvent>`select ${COLUMNS} from runtime_event e where e.id = ${eventId}`);
  return event ? { event, first: false } : null;
}

type ChangeRow = RuntimeEvent & Pick<RuntimeEventChange, 'position' | 'kind'>;

/** Merges two index scans. */
async function changesAfter(db: Sql, position: number, limit: number): Promise<RuntimeEventChange[]> {
  const rows = await db.rows(sql<ChangeRow>`
    (select e.id as position, 'recorded' as kind, ${COLUMNS} from runtime_event e where e.id > ${position} order by e.id limit ${limit})
    union all
    (select e.acknowledged_seq as position, 'acknowledged' as kind, ${COLUMNS} from runtime_event e
     where e.acknowledged_seq > ${position} order by e.acknowledged_seq limit ${limit})
    order by position limit ${limit}`);
  return rows.map(({ position: at, kind, ...event }) => ({ position: at, kind, event }));
}
