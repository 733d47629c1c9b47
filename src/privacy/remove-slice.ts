import { type RawBuilder, sql } from 'kysely';
import { removeAgentCalls, removeAttempts, removeConferences } from '#attempts/remove-attempts.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import type { RecordingFile, RecordingStore } from '#recordings/recording.ts';
import { OPEN } from '#attempts/attempt-store.ts';
import { ids } from '#platform/postgres/values.ts';
import { SOFTPHONE_OPEN } from '#contacts/contact-store.ts';
import { dropTranscripts } from './transcript-partitions.ts';

/** A table whose rows expire, or a column that is cleared. */
export type RetentionTarget =
  | 'transcript_segment'
  | 'recognized_text'
  | 'call_journal'
  | 'attempt_recording'
  | 'agent_call_recording'
  | 'conference_recording'
  | 'attempt'
  | 'agent_call'
  | 'conference'
  | 'audit_row'
  | 'runtime_event'
  | 'phone_session_event'
  | 'agent_state'
  | 'agent_message';

export interface RemovedSlice {
  removed: number;
  /** Id after which the next slice continues; null when no older rows are left. */
  next: number | null;
}

/** Rows examined by one statement. */
const ROWS = 1_000;
/** Most calls deleted in one transaction, each with some dozens of dependent rows. */
const CALLS = 200;

interface Stores {
  db: Database;
  recordings: Pick<RecordingStore, 'remove'>;
}

type Remove = (stores: Stores, days: number, after: number) => Promise<RemovedSlice>;

/** Examines the rows that follow `after` (start with 0) and removes those older than `days` × 24 h. */
export type RemoveSlice = (target: RetentionTarget, days: number, after: number) => Promise<RemovedSlice>;

/**
 * Removes expired data, a bounded slice at a time.
 *
 * Why:    age is measured by the database's clock, which wrote the rows; rows that are open, or still needed to decide a dial, stay
 * Errors: DATABASE_UNAVAILABLE
 */
export function sliceRemover(db: Database, recordings: Pick<RecordingStore, 'remove'>): RemoveSlice {
  return (target, days, after) => REMOVERS[target]({ db, recordings }, days, after);
}

const ATTEMPT_ENDED = sql<boolean>`not (${OPEN})`;

/** Whether a campaign keeps its recordings for a number of days. Errors: DATABASE_UNAVAILABLE */
export async function hasCampaignLimits(db: Database): Promise<boolean> {
  return (await db.first(sql`select 1 from campaign where recording_days > 0 limit 1`)) !== undefined;
}

const older = (days: number) => sql<boolean>`created_at < now() - ${days}::int * interval '24 hours'`;

/** Removes rows without references. Ids follow the time of writing, so the oldest rows come first; `keep` refers to the alias `r`. */
function deletedRows(table: string, keep: RawBuilder<boolean> = sql`false`, key = 'id'): Remove {
  const [rows, id] = [sql.table(table), sql.ref(key)];
  return async ({ db }, days, after) => {
    const page = await db.first(sql<Page & { removed: number }>`
      with page as materialized (
        select r.${id} as id, ${older(days)} as is_old, ${older(days)} and not ${keep} as goes from ${rows} r where r.${id} > ${after} order by r.${id} limit ${ROWS}),
      gone as (delete from ${rows} where ${id} = any(array(select id from page where goes)) returning 1)
      select (select count(*) from gone) as removed, ${PAGE} from page`);
    return { removed: page?.removed ?? 0, next: nextOf(page, ROWS) };
  };
}

/** Whole partitions go first; what has expired of the others goes row by row. */
const deletedTranscripts: Remove = async (stores, days, after) => {
  const dropped = after === 0 ? await dropTranscripts(stores.db, days) : 0;
  const { removed, next } = await deletedSegments(stores, days, after);
  return { removed: dropped + removed, next };
};

const deletedSegments = deletedRows('transcript_segment');

interface Cleared {
  table: string;
  alias: string;
  column: string;
  /** Condition on the alias. */
  ended: RawBuilder<boolean>;
}

/** Clears a column; an index finds the rows that still have a value. */
function clearedColumn(target: Cleared): Remove {
  const [rows, alias, column] = [sql.table(target.table), sql.ref(target.alias), sql.ref(target.column)];
  return async ({ db }, days) => {
    const removed = await db.run(sql`
      update ${rows} set ${column} = null where id = any(array(
        select ${alias}.id from ${rows} as ${alias} where ${column} is not null and ${older(days)} and ${target.ended}
        order by created_at limit ${ROWS} for no key update skip locked))`);
    return { removed, next: removed < ROWS ? null : 0 };
  };
}

/**
 * Removes the names of recordings together with the files that this server keeps.
 *
 * Why: the file is deleted first: a name without a file reads as a missing recording, but a file without a name would never be deleted
 */
function removedRecordings({ table, alias, ended }: Pick<Cleared, 'table' | 'alias' | 'ended'>): Remove {
  const [rows, a] = [sql.table(table), sql.ref(alias)];
  return async ({ db, recordings }, days) => {
    const files = await db.rows(sql<RecordingFile & { id: number }>`
      select ${a}.id, ${a}.cell_id, ${a}.recording_url as name from ${rows} as ${a}
      where recording_url is not null and ${older(days)} and ${ended} order by created_at limit ${ROWS}`);
    await recordings.remove(files);
    const removed = await db.run(sql`
      update ${rows} set recording_url = null where recording_url is not null and id = any(${ids(files.map(({ id }) => id))})`);
    return { removed, next: files.length < ROWS ? null : 0 };
  };
}

/**
 * Like `removedRecordings`, for campaigns' calls: each campaign may have its own limit, 0 for none. The call keeps a mark that it was recorded.
 *
 * Source: D7.21
 */
async function removedCallRecordings({ db, recordings }: Stores, days: number): Promise<RemovedSlice> {
  const files = await db.rows(sql<RecordingFile & { id: number }>`
    select old.* from campaign c cross join lateral (
      select a.id, a.cell_id, a.recording_url as name from attempt a
      where a.campaign_id = c.id and a.recording_url is not null and a.created_at < now() - coalesce(c.recording_days, ${days}::int) * interval '24 hours'
        and ${ATTEMPT_ENDED}
      order by a.created_at limit ${ROWS}) old
    where coalesce(c.recording_days, ${days}::int) > 0 limit ${ROWS}`);
  await recordings.remove(files);
  const removed = await db.run(sql`
    with cleared as (
      update attempt set recording_url = null where recording_url is not null and id = any(${ids(files.map(({ id }) => id))}) returning id, cell_id)
    insert into recording_check (attempt_id, cell_id, state) select id, cell_id, 'removed' from cleared
    on conflict (attempt_id) do update set state = 'removed', due_at = null`);
  return { removed, next: files.length < ROWS ? null : 0 };
}

/** Deletes calls in one transaction with the rows that refer to them and with their recordings; `gone` refers to the alias `r`. */
function deletedCalls(
  table: string,
  { gone, remove }: { gone: RawBuilder<boolean>; remove: (tx: Sql, ids: number[]) => Promise<unknown> },
) {
  const rows = sql.table(table);
  return ({ db, recordings }: Stores, days: number, after: number): Promise<RemovedSlice> =>
    db.transaction(async tx => {
      const page = await tx.first(sql<Page>`
        select ${PAGE} from (select id, ${older(days)} as is_old from ${rows} where id > ${after} order by id limit ${CALLS}) as page`);
      const doomed = await tx.rows(sql<{ id: number; cellId: string | null; name: string | null }>`
        select r.id, r.cell_id, r.recording_url as name from ${rows} r where r.id > ${after} and r.id <= ${page?.last ?? 0} and ${older(days)} and ${gone}
        order by r.id for update of r skip locked`);
      await recordings.remove(doomed.flatMap(({ cellId, name }) => (name === null ? [] : [{ cellId, name }])));
      if (doomed.length > 0)
        await remove(
          tx,
          doomed.map(({ id }) => id),
        );
      return { removed: doomed.length, next: nextOf(page, CALLS) };
    });
}

interface Page {
  rows: number;
  last: number | null;
  /** Whether the last row has expired. */
  isOld: boolean | null;
}

const PAGE = sql`count(*) as rows, max(id) as last, (array_agg(is_old order by id desc))[1] as is_old`;

function nextOf(page: Page | undefined, limit: number): number | null {
  return page !== undefined && page.rows === limit && page.isOld === true ? page.last : null;
}

const CALL_ENDED = sql<boolean>`not (${SOFTPHONE_OPEN})`;

/** Keeps an attempt as long as a frequency limit may count it against a dial (D8.4). */
const COUNTED = sql<boolean>`(r.dialing_at is not null and r.dialing_at >= now() - interval '24 hours' * (
  select coalesce(max((p.config->>'days')::int), 0) from policy p where p.type = 'contact_frequency_limit' and p.is_enabled))`;

/** Keeps the last call of a contact that is to be called again; a contact in a call may return to an earlier attempt. */
const NEEDED = sql<boolean>`exists (
  select 1 from contact k join campaign c on c.id = k.campaign_id
  where k.id = r.contact_id and k.deleted_at is null and c.deleted_at is null and c.status <> 'archived'
    and (k.status = 'submitted' or (k.last_attempt_id = r.id and (k.status = 'pending' or k.retry_at is not null))))`;

const IN_USE = sql<boolean>`(
  exists (select 1 from softphone_call s where s.attempt_id = r.id and ${SOFTPHONE_OPEN})
  or exists (select 1 from conference_session c where c.attempt_id = r.id and c.status <> 'ended'))`;

/** Keeps the last outage and recovery of each cell and dependency: instances check them so that a recovery is recorded once (D14.3). */
const LAST_OF_ITS_KIND = sql<boolean>`(
  (r.type in ('cell.down', 'cell.up') and not exists (select 1 from runtime_event n where n.cell_id = r.cell_id and n.type = r.type and n.id > r.id))
  or (r.type in ('dependency.down', 'dependency.up') and not exists (
    select 1 from runtime_event n where n.type in ('dependency.down', 'dependency.up') and n.type = r.type
      and n.detail->>'name' = r.detail->>'name' and n.id > r.id)))`;

const REMOVERS: Readonly<Record<RetentionTarget, Remove>> = {
  transcript_segment: deletedTranscripts,
  // Of a call that is older than its transcript's time; the attempt has the id.
  call_journal: deletedRows('call_journal', sql`false`, 'attempt_id'),
  recognized_text: clearedColumn({ table: 'attempt', alias: 'a', column: 'recognized_text', ended: ATTEMPT_ENDED }),
  attempt_recording: removedCallRecordings,
  agent_call_recording: removedRecordings({ table: 'softphone_call', alias: 's', ended: CALL_ENDED }),
  conference_recording: removedRecordings({ table: 'conference_session', alias: 'c', ended: sql`c.status = 'ended'` }),
  attempt: deletedCalls('attempt', {
    gone: sql`r.status not in ('claimed','dialing','accepted','answered') and not ${COUNTED} and not ${NEEDED} and not ${IN_USE}`,
    remove: removeAttempts,
  }),
  agent_call: deletedCalls('softphone_call', {
    gone: sql`r.status not in ('created','ringing','dialing','answered') and not exists (
      select 1 from leg l join conference_session c on c.id = l.conference_id where l.softphone_call_id = r.id and c.status <> 'ended')`,
    remove: removeAgentCalls,
  }),
  conference: deletedCalls('conference_session', {
    gone: sql`r.status = 'ended' and not exists (select 1 from leg l where l.conference_id = r.id)`,
    remove: removeConferences,
  }),
  audit_row: deletedRows('audit_log'),
  runtime_event: deletedRows('runtime_event', LAST_OF_ITS_KIND),
  // The newest state of an agent is the one that it is in.
  agent_state: deletedRows('agent_state', sql`not exists (select 1 from agent_state n where n.agent_id = r.agent_id and n.id > r.id)`),
  agent_message: deletedRows('agent_message'),
  phone_session_event: deletedRows(
    'softphone_event',
    sql`exists (select 1 from softphone_call s where s.id = r.softphone_call_id and ${SOFTPHONE_OPEN})`,
  ),
};
