import { type RawBuilder, sql } from 'kysely';
import type { SoftphoneCall } from '#ports/softphone-store.ts';

/** Whether the call with alias `s` is open; spelled as the partial indexes spell it, else the planner does not use them. */
export const SOFTPHONE_OPEN: RawBuilder<boolean> = sql`s.status in ('created','ringing','dialing','answered')`;

/** Of `softphone_call s`, as SoftphoneCall holds them; the legs come as JSON. */
export const SOFTPHONE_COLUMNS = sql<SoftphoneCall>`
  s.id, s.request_id as "requestId", s.direction, s.status, s.agent_id as "agentId", s.user_id as "userId", s.campaign_id as "campaignId",
  s.contact_id as "contactId", s.attempt_id as "attemptId", s.session_id as "sessionId", s.conference_id as "conferenceId",
  s.phone_number as "phoneNumber", s.line_id as "lineId", s.caller_number as "callerNumber", s.cell_id as "cellId", s.note,
  s.call_status as "callStatus", s.hangup_cause as "hangupCause", s.hangup_by as "hangupBy", s.failure_reason as "failureReason",
  s.answered_at as "answeredAt", s.ended_at as "endedAt", s.duration_seconds as "durationSeconds", s.recording_url as "recordingUrl",
  s.created_at as "createdAt", s.updated_at as "updatedAt",
  (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'role', l.role, 'legUuid', l.leg_uuid, 'agentId', l.agent_id, 'cellId', l.cell_id,
      'status', case l.status when 'joined' then 'answered' else l.status end, 'dialingAt', epoch_ms(l.dialing_at),
      'answeredAt', epoch_ms(l.joined_at), 'endedAt', epoch_ms(l.ended_at), 'hangupCause', l.end_cause) order by l.id), '[]'::jsonb)
    from leg l where l.softphone_call_id = s.id and l.conference_id is null) as legs`;
