import { RESERVATION_LEASE_MS } from '#actors/agent/machine.ts';
import type { SoftphoneReport } from '#contract/nats/softphone.ts';
import { isCalloutError, notFound, unlessUnreachable } from '#kernel/errors.ts';
import type { ConferenceSession } from '#model/conference.ts';
import type { SoftphoneCall } from '#ports/softphone-store.ts';
import type { ConferenceMember, SwitchEvent } from '#ports/switch.ts';
import { customerLegOf } from '#rules/leg.ts';
import { isDispatchedCall } from '#rules/leg-uuid.ts';
import { decideConference, type SessionEvent } from '../conferences/decide-conference.ts';
import { dialExternal } from '../conferences/dial-external.ts';
import { startRecording } from '../conferences/record-room.ts';
import { endSession, recordConference } from '../conferences/send-to-conference.ts';
import { letGo, type SoftphoneSessionDeps, notifySession } from './deps.ts';
import { finishSession } from './end-session.ts';

type ConferenceEvent = Extract<SwitchEvent, { kind: 'conference' }>;

const MAX_SESSIONS = 1_000;
/** A record of a session is this old at least before it is given up: its agent is free by then, ms. */
const LEFT_BEHIND_MS = RESERVATION_LEASE_MS + 5_000;

/** A browser has as long to come as its agent is held; the agent's own look at a cell that is back comes first, ms. */
const BROWSER_MS = RESERVATION_LEASE_MS + 3_000;
/** From the agent's coming in until the customer's leg is entered: slot and turn of its cell are waited for some seconds, ms. */
const CALLING_MS = 20_000;

/**
 * What the switch reports of sessions of browser phones: the agent's browser comes in, the customer is called, answers, leaves. Their conferences have
 * heard it before (handleConferenceEvent): the rows say what has become of the leg, and the first to write it has published it.
 *
 * Source: D12.4
 */
export async function handleSessionEvent(deps: SoftphoneSessionDeps, event: SwitchEvent): Promise<void> {
  if (event.kind === 'conference') {
    if (event.action === 'joined') await memberJoined(deps, event);
    return;
  }
  if (!('requestId' in event) || (event.kind !== 'answered' && event.kind !== 'hung_up')) return;
  if (isDispatchedCall(event.requestId)) return;
  const conference = await deps.conferences.findByLeg(event.requestId);
  if (conference?.kind !== 'session') return;
  const callId = await deps.softphoneSessions.findCallOfConference(conference.id);
  if (callId === null) return;
  const isOver =
    event.kind === 'hung_up' && (conference.status === 'ended' || endCauseOf(conference, { ...event, type: 'legsLeft' }) !== null);
  if (isOver) await finishSession(deps, callId, event.cause);
  else deps.softphoneSignals.publish(callId);
}

async function memberJoined(deps: SoftphoneSessionDeps, { conferenceName, member, at }: ConferenceEvent): Promise<void> {
  if (member === null) return;
  const conference = await deps.conferences.findByName(conferenceName);
  if (conference?.kind === 'session' && conference.status === 'routing') await agentCameIn(deps, conference, member, at);
}

/** The first in the conference of a session is the browser of its agent: nobody else knows the name. `at`: UTC ms of its coming. */
async function agentCameIn(
  deps: SoftphoneSessionDeps,
  conference: ConferenceSession,
  member: Pick<ConferenceMember, 'channelUuid' | 'memberId'>,
  at: number,
): Promise<void> {
  const callId = await deps.softphoneSessions.findCallOfConference(conference.id);
  if (callId === null || conference.preferredAgentId === null) return;
  const { channelUuid: legUuid, memberId } = member;
  const leg = {
    conferenceId: conference.id,
    softphoneCallId: callId,
    agentId: conference.preferredAgentId,
    legUuid,
    memberId,
    joinedAt: at,
  };
  const adopted = await deps.conferences.adoptLeg(leg, session => decideConference(session, { type: 'personJoined', at }));
  if (adopted === null) return;
  const call = await deps.softphoneCalls.find(callId);
  if (call === null) return;
  // Too late: the reservation is over, and the agent may be another's by now.
  if (!(await deps.reservations.answered(call.requestId, member.channelUuid, at)))
    return void (await finishSession(deps, callId, 'NO_ANSWER'));
  await notifySession(deps, callId, 'session', { status: 'agent_joined' });
  await recordConference(deps, conference, startRecording);
  await callCustomer(deps, conference, call);
}

async function callCustomer(deps: SoftphoneSessionDeps, conference: ConferenceSession, call: SoftphoneCall): Promise<void> {
  const { id: callId } = call;
  if (call.dialKey === '') return;
  await notifySession(deps, callId, 'session', { status: 'calling_customer' });
  try {
    await dialExternal(deps, conference, {
      conferenceId: conference.id,
      role: 'external',
      mode: 'session',
      userId: call.userId,
      targetNumber: call.phoneNumber,
      dialKey: call.dialKey,
      askedByCallId: callId,
      canSpeak: true,
    });
  } catch (error) {
    deps.log.warn({ err: error, softphoneCallId: callId }, 'the customer of a session could not be called');
    await notifySession(deps, callId, 'error', { message: isCalloutError(error) ? error.message : '呼叫客户失败' });
    await finishSession(deps, callId, 'FAILED');
  }
}

/**
 * Ends sessions whose browser never came, which last too long, or whose legs have gone unheard; and what an instance that died has left of them.
 *
 * Why:    a browser has as long to dial as its agent is held (D12.7)
 */
export async function reconcileSessions(deps: SoftphoneSessionDeps): Promise<void> {
  for (const conference of await deps.conferences.listRunning(MAX_SESSIONS)) {
    if (conference.kind !== 'session') continue;
    if (conference.status === 'routing' && (await findAgent(deps, conference))) continue;
    const cause = endCauseOf(conference, await agedNow(deps, conference));
    if (cause === null) await holdAgent(deps, conference);
    else await finishConference(deps, conference.id, cause);
  }
  const left = await deps.softphoneSessions.listLeftBehind(deps.clock.now() - LEFT_BEHIND_MS, MAX_SESSIONS);
  for (const { softphoneCallId, fence } of left) await giveUp(deps, softphoneCallId, fence);
}

/** The browser may have come in unheard: its channel shows since when it waits. */
async function findAgent(deps: SoftphoneSessionDeps, conference: ConferenceSession): Promise<boolean> {
  const { cellId, conferenceName } = conference;
  if (cellId === null) return false;
  const [member] = (await unlessUnreachable(() => deps.rooms.members(cellId, conferenceName))) ?? [];
  if (member === undefined) return false;
  const channel = await unlessUnreachable(() => deps.switchPort.probe(cellId, member.channelUuid));
  await agentCameIn(deps, conference, member, channel?.kind === 'answered' ? channel.answeredAt : deps.clock.now());
  return true;
}

/** A conference without a record: the instance that opened it died before the two were tied together. */
async function finishConference(deps: SoftphoneSessionDeps, conferenceId: number, cause: string): Promise<void> {
  const callId = await deps.softphoneSessions.findCallOfConference(conferenceId);
  if (callId === null) await endSession(deps, conferenceId, { cause });
  else await finishSession(deps, callId, cause);
}

/** Why this event ends the session; null: it goes on. */
function endCauseOf(conference: ConferenceSession, event: SessionEvent): string | null {
  return decideConference(conference, event)?.session.endCause ?? null;
}

async function agedNow(deps: SoftphoneSessionDeps, conference: ConferenceSession): Promise<SessionEvent> {
  const callId = customerLegOf(conference) ? null : await deps.softphoneSessions.findCallOfConference(conference.id);
  const call = callId === null ? null : await deps.softphoneCalls.find(callId);
  const ages = { routingMs: BROWSER_MS, callingMs: CALLING_MS, sessionMs: deps.conferenceSettings.maxSessionMs };
  return { type: 'aged', at: deps.clock.now(), ...ages, isCustomerDue: call !== null && call.phoneNumber !== '' };
}

/** The instance that saw the browser come in may have died before it notified the agent. */
async function holdAgent({ reservations }: SoftphoneSessionDeps, { legs }: ConferenceSession): Promise<void> {
  const own = legs.find(leg => leg.role === 'agent' && leg.mode === 'session' && leg.status === 'joined');
  if (own) await reservations.answered(own.fence, own.legUuid, own.joinedAt ?? undefined);
}

async function giveUp(deps: SoftphoneSessionDeps, callId: number, fence: string): Promise<void> {
  await letGo(deps, fence);
  const end = { status: 'failed', endedAt: deps.clock.now(), hangupCause: 'LOST', failureReason: '实例中断，未能完成会话' } as const;
  if (await deps.softphoneCalls.close(callId, end)) deps.softphoneSignals.publish(callId);
}

/**
 * What the runtime reports of a session: speech that is played, words that were recognised, faults.
 *
 * Errors: NOT_FOUND for an unknown session
 * Source: D10, D12.4
 */
export async function takeSoftphoneReport(
  deps: Pick<SoftphoneSessionDeps, 'softphoneSessions' | 'softphoneSignals'>,
  sessionId: string,
  { kind, sessionId: _session, runtimeId: _runtime, ...data }: SoftphoneReport,
): Promise<void> {
  const callId = await deps.softphoneSessions.findCall(sessionId);
  if (callId === null) throw notFound('网页话机会话');
  await notifySession(deps, callId, kind, data);
}
