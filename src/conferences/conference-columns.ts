import { sql } from 'kysely';

export const SESSION = sql`
  s.id, s.conference_name, s.kind, s.status, s.request_id, s.attempt_id, s.campaign_id, s.customer_uuid, s.customer_state, s.cell_id,
  s.preferred_agent_id, s.only_preferred, s.group_id, s.intervention_id, s.reason, s.tried_agent_ids,
  s.member_count, s.recording_url, s.recording_failed, s.answered_at, s.ended_at, s.end_cause, s.created_at, s.updated_at`;

export const LEG = sql`
  l.softphone_call_id, l.conference_id, l.role, l.mode, l.agent_id, l.target_number, l.leg_uuid, l.asked_by_call_id, l.holds_slot, l.status,
  l.member_id, l.can_speak, l.joined_at, l.ended_at, l.end_cause, l.created_at,
  (select a.name from agent a where a.id = l.agent_id) as agent_name,
  (select c.request_id from softphone_call c where c.id = l.softphone_call_id) as fence`;
