import type { ConferenceLegRow, ConferenceSessionRow } from '#contract/rest/conferences.ts';
import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import { presentInstant } from './instant.ts';

const maybeInstant = (at: number | null) => (at === null ? null : presentInstant(at));

/** Source: OCS 4.15 */
export function presentConference(session: ConferenceSession): ConferenceSessionRow {
  return {
    id: session.id,
    conferenceId: session.id,
    conferenceName: session.conferenceName,
    kind: session.kind,
    status: session.status,
    requestId: session.requestId,
    attemptId: session.attemptId,
    campaignId: session.campaignId,
    customerUuid: session.customerUuid,
    customerState: session.customerState,
    cellId: session.cellId,
    memberCount: session.memberCount,
    interventionId: session.interventionId,
    reason: session.reason,
    recordingUrl: session.recordingUrl,
    answeredAt: maybeInstant(session.answeredAt),
    endedAt: maybeInstant(session.endedAt),
    endCause: session.endCause,
    createdAt: presentInstant(session.createdAt),
    updatedAt: presentInstant(session.updatedAt),
  };
}

export function presentConferenceLeg(leg: ConferenceLeg): ConferenceLegRow {
  return {
    softphoneCallId: leg.softphoneCallId,
    role: leg.role,
    mode: leg.mode,
    agentId: leg.agentId,
    agentName: leg.agentName,
    targetNumber: leg.targetNumber,
    callUuid: leg.legUuid,
    status: leg.status,
    canSpeak: leg.canSpeak,
    joinedAt: maybeInstant(leg.joinedAt),
    endedAt: maybeInstant(leg.endedAt),
    endCause: leg.endCause,
  };
}
