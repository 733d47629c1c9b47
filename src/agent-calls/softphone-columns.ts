import { sql } from 'kysely';
import type { SoftphoneCall } from './agent-call.ts';
import type { Table } from '#platform/postgres/listing.ts';

/** Columns of `softphone_call s` as in SoftphoneCall; the legs are JSON. */
export const SOFTPHONE_COLUMNS = sql<SoftphoneCall>`
  s.id, s.request_id, s.direction, s.status, s.agent_id, s.user_id, s.campaign_id, s.contact_id, s.attempt_id, s.session_id, s.conference_id,
  s.phone_number, s.dial_key, s.line_id, s.caller_number, s.cell_id, s.note, s.call_status, s.hangup_cause, s.hangup_by, s.failure_reason,
  s.answered_at, s.ended_at, s.duration_seconds, s.recording_url, s.created_at, s.updated_at,
  (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'role', l.role, 'legUuid', l.leg_uuid, 'agentId', l.agent_id, 'cellId', l.cell_id,
      'status', case l.status when 'joined' then 'answered' else l.status end, 'dialingAt', epoch_ms(l.dialing_at),
      'answeredAt', epoch_ms(l.joined_at), 'endedAt', epoch_ms(l.ended_at), 'hangupCause', l.end_cause) order by l.id), '[]'::jsonb)
    from leg l where l.softphone_call_id = s.id and l.conference_id is null) as legs`;

export const SOFTPHONE_TABLE = {
  columns: SOFTPHONE_COLUMNS,
  from: sql`softphone_call s`,
  id: sql`s.id`,
  exists: sql`true`,
} satisfies Table<unknown>;
