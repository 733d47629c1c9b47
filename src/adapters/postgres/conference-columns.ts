import { sql } from 'kysely';

export const SESSION = sql`
  s.id, s.conference_name as "conferenceName", s.kind, s.status, s.request_id as "requestId", s.attempt_id as "attemptId",
  s.campaign_id as "campaignId", s.customer_uuid as "customerUuid", s.customer_state as "customerState", s.cell_id as "cellId",
  s.wished_agent_id as "preferredAgentId", s.only_wished as "onlyPreferred", s.group_id as "groupId", s.intervention_id as "interventionId", s.reason,
  s.tried_agent_ids as "triedAgentIds", s.member_count as "memberCount", s.recording_url as "recordingUrl",
  s.recording_failed as "recordingFailed", s.answered_at as "answeredAt",
  s.ended_at as "endedAt", s.end_cause as "endCause", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

export const LEG = sql`
  l.softphone_call_id as "softphoneCallId", l.conference_id as "conferenceId", l.role, l.mode, l.agent_id as "agentId",
  (select a.name from agent a where a.id = l.agent_id) as "agentName", l.target_number as "targetNumber", l.leg_uuid as "legUuid",
  (select c.request_id from softphone_call c where c.id = l.softphone_call_id) as fence,
  l.asked_by_call_id as "askedByCallId", l.holds_slot as "holdsSlot", l.status, l.member_id as "memberId", l.can_speak as "canSpeak",
  l.joined_at as "joinedAt", l.ended_at as "endedAt", l.end_cause as "endCause", l.created_at as "createdAt"`;
