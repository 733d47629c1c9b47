import { mayRequest } from '#actors/leg/context.ts';
import type { AgentAvailability, AgentDirectoryPart } from '#agents/agent-directory.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, conflict, notFound } from '#kernel/errors.ts';
import type { LegRequester, ParticipantMode } from '#legs/leg.ts';
import { type ConferenceApp, decideConference, sendToConference } from './conference-actor.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';
import { getConference } from './find-conferences.ts';

/** The requester's role in a conference. */
export interface Requester {
  isDispatcher: boolean;
  /** The caller's own agent, when there is one. */
  agent: AgentAvailability | undefined;
  /** The caller's own open leg in the conference. */
  leg: ConferenceLeg | undefined;
}

export async function requesterOf({ agentDirectory }: AgentDirectoryPart, caller: Caller, session: ConferenceSession): Promise<Requester> {
  return requesterIn(session, caller, caller.userId === null ? undefined : await agentDirectory.findByUser(caller.userId));
}

export function requesterIn(session: ConferenceSession, caller: Caller, agent: AgentAvailability | undefined): Requester {
  const leg = session.legs.find(each => agent !== undefined && each.agentId === agent.agentId && each.status !== 'ended');
  return { isDispatcher: caller.permissions.has('campaign:dispatch'), agent, leg };
}

/**
 * Requires that the caller may change the conference: agents only one in which they take part, users who may dispatch any.
 *
 * Errors: FORBIDDEN
 * Source: OCS 4.15
 */
export function requirePlace(requester: Requester): void {
  if (!requester.isDispatcher && requester.leg === undefined) throw new CalloutError('FORBIDDEN', '只有会议中的坐席或主管可以变更成员');
}

/** Errors: FORBIDDEN; CONFLICT when the conference has ended, or has not progressed far enough for the mode. Source: OCS 4.15, D12.6 */
export function requireEntry(session: ConferenceSession, requester: Requester, mode: ParticipantMode): void {
  requirePlace(requester);
  const entry = { type: 'participantEntered', mode, agentId: null } as const;
  if (decideConference(session, entry) === null) throw refusalOf(session, mode);
}

function refusalOf({ kind, customerState, status }: ConferenceSession, mode: ParticipantMode): CalloutError {
  if (mode === 'consult' && kind === 'transfer' && customerState === 'outside') return conflict('CUSTOMER_ABSENT', '客户尚未进入会议');
  return status === 'ended' ? conflict('CONFERENCE_ENDED', '会议已结束') : conflict('PARTICIPANT_ABSENT', '会议尚无坐席接听');
}

/** `present` is the target's leg when it is already in the conference. Errors: FORBIDDEN */
export function requireMode(mode: ParticipantMode, requester: Requester, present: ConferenceLeg | undefined): void {
  if (!mayRequest(present, mode, asLegRequester(requester)))
    throw new CalloutError('FORBIDDEN', mode === 'whisper' ? '耳语需要主管权限' : '监听和强插需要主管权限');
}

/**
 * Requires that the caller can take a supervising mode on their own phone, under the same rules as the command.
 *
 * Errors: FORBIDDEN; CONFLICT when the caller has no agent, the agent is not free, or it takes part in a mode that it cannot leave
 */
export function requireOwnPart(session: ConferenceSession, requester: Requester, mode: ParticipantMode): void {
  const { agent, leg } = requester;
  if (agent === undefined) throw agentMissing();
  requireMode(mode, requester, leg);
  if (leg === undefined) {
    if (agent.status !== 'idle' || agent.registrationStatus !== 'registered') throw agentNotFree();
    return;
  }
  const event = { type: 'modeRequested', mode, by: asLegRequester(requester) } as const;
  if (decideConference(session, { type: 'legChanged', legUuid: leg.legUuid, event }) === null) throw alreadyThere(leg);
}

export function agentMissing(): CalloutError {
  return conflict('AGENT_MISSING', '当前用户未绑定坐席');
}

export function agentNotFree(): CalloutError {
  return conflict('AGENT_BUSY', '坐席忙、离线或话机未注册');
}

export function alreadyThere({ agentId }: ConferenceLeg): CalloutError {
  return conflict('ALREADY_IN_CONFERENCE', agentId === null ? '该号码已在会议中' : '坐席已在会议中');
}

export function asLegRequester({ isDispatcher, leg }: Requester): LegRequester {
  return { isDispatcher, callId: leg?.softphoneCallId ?? null };
}

/**
 * Removes a leg from a conference. Returns false when it had left already.
 *
 * Errors: NOT_FOUND; FORBIDDEN; CONFLICT when a live customer would be left alone and `force` is false
 * Source: OCS 4.15, D12.6
 */
export async function removeParticipant(
  app: ConferenceApp & AuditPart,
  caller: Caller,
  place: { conferenceId: number; softphoneCallId: number },
  { force }: { force: boolean },
): Promise<boolean> {
  const session = await getConference(app, place.conferenceId);
  const leg = session.legs.find(each => each.softphoneCallId === place.softphoneCallId);
  if (!leg) throw notFound('会议成员');
  requirePlace(await requesterOf(app, caller, session));
  if (leg.status === 'ended') return false;
  const at = app.clock.now();
  const removal = { type: 'participantRemoved', legUuid: leg.legUuid, isForced: force, at } as const;
  const removed = await sendToConference(app, session.id, { type: 'reviewedAfter', event: removal, at });
  if (removed === null) throw conflict('LAST_AGENT', '这是客户通话中的最后一名坐席，移除需要 force: true');
  await audit(app, caller, {
    action: 'conference.participant_removed',
    targetType: 'conference',
    targetId: session.id,
    summary: '移除会议成员',
    detail: { agentId: leg.agentId, softphoneCallId: leg.softphoneCallId, force },
  });
  return removed.before.legs.some(each => each.legUuid === leg.legUuid && each.status !== 'ended');
}
