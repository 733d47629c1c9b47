import { type RawBuilder, sql } from 'kysely';
import { type AccessAuditPart, auditTranscriptRead } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { JsonValue } from '#kernel/json.ts';
import { ids } from '#platform/postgres/values.ts';
import { getAttempt, IS_SHOWN } from './attempt-store.ts';
import type { TranscriptSegment } from './attempt.ts';
import type { Platform } from '#platform/platform.ts';

/** Most segments of one attempt: a result report contains at most 2,000 (protocol/result.ts), and the live call may add some. */
const MAX_SEGMENTS = 5_000;

/**
 * Returns the transcript of one attempt in the order spoken, and audits the access.
 *
 * Errors: NOT_FOUND when the attempt does not exist or was deleted
 * Source: OCS 4.8
 */
export async function getTranscript(
  app: AccessAuditPart & Pick<Platform, 'db'>,
  caller: Caller,
  attemptId: number,
): Promise<TranscriptSegment[]> {
  await getAttempt(app, attemptId);
  const segments = await readTranscripts(app, [attemptId]);
  if (segments.length > 0) await auditTranscriptRead(app, caller, { targetType: 'attempt', targetId: attemptId });
  return segments;
}

/** Returns the segments of each attempt in the order spoken. */
export function readTranscripts({ db }: Pick<Platform, 'db'>, attemptIds: readonly number[]): Promise<TranscriptSegment[]> {
  return db.rows(sql<TranscriptSegment>`
    select t.id, t.attempt_id, t.segment_id, t.speaker, t.text, t.start_ms, t.end_ms, t.node_id, t.source, t.created_at, t.updated_at
    from unnest(${ids(attemptIds)}) as asked (id)
    cross join lateral (select * from transcript_segment where attempt_id = asked.id order by position, id limit ${MAX_SEGMENTS}) as t
    order by t.attempt_id, t.position, t.id`);
}

export const CALL_EVENT_KINDS = [
  'claimed',
  'dialing',
  'accepted',
  'answered',
  'segment',
  'event',
  'joined',
  'left',
  'ended',
  'result',
] as const;

export interface AttemptEvent {
  attemptId: number;
  /** UTC ms. */
  at: number;
  kind: (typeof CALL_EVENT_KINDS)[number];
  text: string;
  detail: JsonValue;
}

/** Most runtime events, transcript segments and participant joins and leaves per attempt. */
const MAX_EVENTS = 1_000;
const MAX_STEPS = 1_000;

/**
 * Returns the recorded events of each call in chronological order; events of the same instant are ordered by their stage in a call.
 *
 * Why: each source is read along its own index and the results are merged
 */
export function readTimelines({ db }: Pick<Platform, 'db'>, attemptIds: readonly number[]): Promise<AttemptEvent[]> {
  return db.rows(sql<AttemptEvent>`
    select asked.id as attempt_id, happened.at, happened.kind, happened.text, happened.detail
    from unnest(${ids(attemptIds)}) as asked (id)
    cross join lateral (${milestones()} union all ${segments()} union all ${events()} union all ${people()}) as happened
    order by asked.id, happened.at, happened.rank, happened.place`);
}

/** A reply of the switch is recorded with some delay, so a call that was answered earlier counts as accepted when it was answered. */
function milestones(): RawBuilder<unknown> {
  return sql`
    select step.at, step.kind, coalesce(step.text, '') as text, null::jsonb as detail, step.rank, 0::bigint as place
    from attempt a
    cross join lateral (values
      (a.claimed_at, 'claimed', a.caller_number, 0), (a.dialing_at, 'dialing', a.phone_number, 1), (least(a.accepted_at, a.answered_at), 'accepted', a.reply_text, 2),
      (a.answered_at, 'answered', '', 3), (a.ended_at, 'ended', a.hangup_cause, 6), (a.result_at, 'result', a.call_status, 7))
      as step (at, kind, text, rank)
    where a.id = asked.id and ${IS_SHOWN} and step.at is not null`;
}

/** A segment without an offset is placed at the time when it was written. */
function segments(): RawBuilder<unknown> {
  return sql`
    (select coalesce(coalesce(a.answered_at, a.started_at) + t.start_ms * interval '1 millisecond', t.created_at) as at, 'segment' as kind, t.text,
       jsonb_build_object('speaker', t.speaker, 'segmentId', t.segment_id, 'nodeId', t.node_id, 'source', t.source) as detail, 4 as rank, t.position::bigint as place
     from transcript_segment t join attempt a on a.id = t.attempt_id
     where t.attempt_id = asked.id and ${IS_SHOWN} order by t.position, t.id limit ${MAX_SEGMENTS})`;
}

function events(): RawBuilder<unknown> {
  return sql`
    (select e.created_at as at, 'event' as kind, e.title as text,
       jsonb_build_object('id', e.id, 'level', e.level, 'type', e.type, 'message', e.message, 'detail', e.detail, 'agentName', g.name,
         'userName', nullif(u.display_name, '')) as detail, 5 as rank, e.id as place
     from runtime_event e left join agent g on g.id = (e.detail->>'agentId')::bigint left join app_user u on u.id = (e.detail->>'userId')::bigint
     where e.attempt_id = asked.id order by e.id limit ${MAX_EVENTS})`;
}

/** When participants joined and left the call, regardless of who requested them. */
function people(): RawBuilder<unknown> {
  return sql`
    (select step.at, step.kind, coalesce(g.name, l.target_number) as text, jsonb_build_object('role', l.role, 'mode', l.mode) as detail,
       5 as rank, l.id as place
     from attempt a
     join conference_session c on c.customer_uuid = a.request_id::text
     join leg l on l.conference_id = c.id and l.joined_at is not null
     left join agent g on g.id = l.agent_id
     cross join lateral (values (l.joined_at, 'joined'), (l.ended_at, 'left')) as step (at, kind)
     where a.id = asked.id and ${IS_SHOWN} and step.at is not null order by step.at limit ${MAX_STEPS})`;
}

/** A call that a user ended from the console. */
interface UserHangup {
  attemptId: number;
  /** Display name of the user, else the username. */
  by: string;
  /** Reason as the user wrote it; empty when none was given. */
  reason: string;
}

/** Returns which user ended which call: switch and runtime only know that neither party did. */
export function readUserHangups({ db }: Pick<Platform, 'db'>, attemptIds: readonly number[]): Promise<UserHangup[]> {
  return db.rows(sql<UserHangup>`
    select distinct on (e.attempt_id) e.attempt_id, coalesce(nullif(u.display_name, ''), e.detail->>'by', '') as by, coalesce(e.detail->>'reason', '') as reason
    from runtime_event e left join app_user u on u.id = (e.detail->>'userId')::bigint
    where e.attempt_id = any(${ids(attemptIds)}) and e.type = 'supervisor.hangup'
    order by e.attempt_id, e.id`);
}
