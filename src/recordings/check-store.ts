import { sql } from 'kysely';
import type { RecordingState } from '#attempts/attempt.ts';
import type { Sql } from '#platform/postgres/database.ts';

/** A recording that somebody looks at now. */
export interface DueCheck {
  attemptId: number;
  campaignId: number;
  cellId: string | null;
  /** Null: the call or its recording is gone. */
  name: string | null;
  /** The verdict of an earlier look; `pending` before the first one. */
  state: RecordingState;
  /** Seconds that the recording has to hold. */
  talkSeconds: number;
  /** Since the result of the call, ms by the database's clock. */
  ageMs: number;
}

/** The server that looks has so long; then another one does. */
const LEASE = sql`interval '20 seconds'`;

/**
 * The first agent who speaks in the call ends what its own recording has to hold: from there on the conference is recorded.
 *
 * Source: D12.6, D7.20
 */
const UNTIL_AGENT = sql<number | null>`(
  select extract(epoch from min(l.joined_at) - a.answered_at) from conference_session v join leg l on l.conference_id = v.id
  where v.attempt_id = a.id and l.joined_at is not null and l.role = 'agent' and l.mode not in ('listen', 'whisper'))`;

/** Takes due checks, the longest due first; of those that another server takes at the same moment none. */
export function takeDueChecks(db: Sql, limit: number): Promise<DueCheck[]> {
  return db.rows(sql<DueCheck>`
    with due as (
      select attempt_id from recording_check where due_at <= now() order by due_at limit ${limit} for update skip locked)
    update recording_check c set due_at = now() + ${LEASE}
    from due left join attempt a on a.id = due.attempt_id where c.attempt_id = due.attempt_id
    returning c.attempt_id, a.campaign_id, c.cell_id, a.recording_url as name, c.state,
      greatest(0, least(a.duration_seconds, ${UNTIL_AGENT}))::int as talk_seconds, (extract(epoch from now() - c.created_at) * 1000)::float8 as age_ms`);
}

export interface KeptCheck {
  attemptId: number;
  state: RecordingState;
  talkSeconds: number;
  recordedSeconds: number | null;
  quietShare: number | null;
  /** When somebody looks next, ms from now; null: never. */
  inMs: number | null;
}

/** Keeps what a look has found, unless retention has removed the recording meanwhile. */
export async function keepCheck(db: Sql, { attemptId, state, talkSeconds, recordedSeconds, quietShare, inMs }: KeptCheck): Promise<void> {
  await db.run(sql`
    update recording_check set state = ${state}, talk_seconds = ${talkSeconds}, recorded_seconds = ${recordedSeconds}, quiet_share = ${quietShare},
      checked_at = now(), due_at = now() + ${inMs}::float8 * interval '1 millisecond'
    where attempt_id = ${attemptId} and state <> 'removed'`);
}

/** Forgets the check of a call that is gone, or whose recording is. */
export async function dropCheck(db: Sql, attemptId: number): Promise<void> {
  await db.run(sql`delete from recording_check where attempt_id = ${attemptId} and state <> 'removed'`);
}
