import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import type { JsonValue } from '#kernel/json.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { inTime, type TimeSpan } from '#platform/postgres/filters.ts';
import { listOf, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, json } from '#platform/postgres/values.ts';
import { runtimeEvent, type RuntimeEvent, type RuntimeEventType } from './runtime-event.ts';

/**
 * Runtime events in a total order: an event takes one position when it is recorded and another when it is acknowledged.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: D10, D14.3
 */
export interface RuntimeEventStore {
  /** Writes the event and signals it. If an event with the same `dedupeKey` exists, that row is returned and nothing is written. */
  record(event: NewRuntimeEvent): Promise<RuntimeEvent>;
  /** Newest first. */
  recent(limit: number): Promise<RuntimeEvent[]>;
  /** Id of the cell's latest event of this type; null when there is none. */
  lastOfCell(cellId: string, type: string): Promise<number | null>;
  /** Id of the latest event of this type about the dependency (`detail.name`); null when there is none. */
  lastOfDependency(name: string, type: 'dependency.down' | 'dependency.up'): Promise<number | null>;
  /** Marks the event as acknowledged by a user and signals it; the first acknowledgement stays. Null when the event does not exist. */
  acknowledge(eventId: number, userId: number | null): Promise<{ event: RuntimeEvent; first: boolean } | null>;
  /** Changes after `position`, oldest first, at most `limit`. */
  changesAfter(position: number, limit: number): Promise<RuntimeEventChange[]>;
  /** The highest position so far, 0 when there is none. */
  lastPosition(): Promise<number>;
}

/** Source: D14.3 */
export interface NewRuntimeEvent {
  level: RuntimeEvent['level'];
  type: RuntimeEventType;
  /** Chinese, one line. */
  title: string;
  /** Chinese; no phone number. */
  message?: string;
  campaignId?: number | null;
  attemptId?: number | null;
  cellId?: string | null;
  detail?: JsonValue;
  /** Events with the same key are written once; null: always written. */
  dedupeKey?: string | null;
}

export interface RuntimeEventChange {
  /** Unique and increasing; the stream's event id. */
  position: number;
  kind: 'recorded' | 'acknowledged';
  /** The row's current state. */
  event: RuntimeEvent;
}

/** Notifies every instance that a runtime event was recorded or acknowledged; the feed's slow poll covers lost signals. */
export interface RuntimeEventSignals {
  publish(): void;
  /** The returned function unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export interface EventSignalsPart {
  eventSignals: RuntimeEventSignals;
}

export interface RuntimeEventsPart {
  events: RuntimeEventStore;
}

/**
 * Marks a runtime event as seen; the first user to do so stays recorded, and repeating it changes nothing.
 *
 * Errors: NOT_FOUND
 * Source: OCS 4.1
 */
export async function acknowledgeEvent(
  app: { events: Pick<RuntimeEventStore, 'acknowledge'> },
  caller: Caller,
  eventId: number,
): Promise<RuntimeEvent> {
  const acknowledged = await app.events.acknowledge(eventId, caller.userId);
  if (acknowledged === null) throw notFound('运行事件');
  return acknowledged.event;
}

export const RUNTIME_EVENT_TABLE = {
  columns: columnsOf(runtimeEvent, 'e'),
  from: sql`runtime_event e`,
  id: sql`e.id`,
  exists: sql`true`,
} satisfies Table<unknown>;

/** Filters of the list; an undefined filter does not narrow it. */
export interface RuntimeEventSearch extends TimeSpan {
  /** Id of the oldest event that may match. */
  fromId?: number | undefined;
  /** Id of the newest event that may match. */
  toId?: number | undefined;
  /** Any of these levels; an empty list matches all. */
  levels: readonly RuntimeEvent['level'][];
  type?: string | undefined;
  campaignId?: number | undefined;
  cellId?: string | undefined;
  isAcknowledged?: boolean | undefined;
}

/** Source: D10, D14.3 */
export const runtimeEventList = listOf(RUNTIME_EVENT_TABLE, eventMatches);

export function eventMatches(search: RuntimeEventSearch): RawBuilder<unknown> {
  const { levels, type, campaignId, cellId, isAcknowledged, fromId, toId } = search;
  const given = [
    ...(fromId === undefined ? [] : [sql`id >= ${fromId}`]),
    ...(toId === undefined ? [] : [sql`id <= ${toId}`]),
    ...(levels.length === 0 ? [] : [sql`level = any(${[...levels]}::text[])`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(campaignId === undefined ? [] : [sql`campaign_id = ${campaignId}`]),
    ...(cellId === undefined ? [] : [sql`cell_id = ${cellId}`]),
    ...(isAcknowledged === undefined ? [] : [isAcknowledged ? sql`acknowledged_at is not null` : sql`acknowledged_at is null`]),
    ...inTime(sql`runtime_event`, search),
  ];
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}

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
