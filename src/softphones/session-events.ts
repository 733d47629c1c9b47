import { RESERVATION_LEASE_MS } from '#actors/agent/machine.ts';
import type { SoftphoneReport } from '#protocol/softphones.ts';
import { isCalloutError, notFound, unlessUnreachable } from '#kernel/errors.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import type { SoftphoneCall } from '#agent-calls/agent-call.ts';
import type { ConferenceMember, SwitchEvent } from '#platform/freeswitch/switch.ts';
import { customerLegOf } from '#legs/leg.ts';
import { isDispatchedCall } from '#platform/freeswitch/channel-uuid.ts';
import { decideConference, endSession, type SessionEvent } from '#conferences/conference-actor.ts';
import { dialExternal } from '#conferences/call-in.ts';
import { recordConference, startRecording } from '#conferences/room.ts';
import { releaseAgent, type SoftphoneApp, notifySession, type SoftphonesPart } from './session.ts';
import { finishSession } from './control.ts';

type ConferenceEvent = Extract<SwitchEvent, { kind: 'conference' }>;

const MAX_SESSIONS = 1_000;
/** Least age of an unfinished record before it is closed, in ms; its agent's lease has expired by then. */
const UNFINISHED_MS = RESERVATION_LEASE_MS + 5_000;

/** Time limit for the browser to join, in ms: the agent's lease, plus a margin in which the agent probes a recovered cell first. */
const BROWSER_JOIN_MS = RESERVATION_LEASE_MS + 3_000;
/** Time limit from the agent's join until the customer's leg is added, in ms; slot and cell turn may take some seconds. */
const CUSTOMER_CALL_MS = 20_000;

/**
 * Applies switch events of browser-phone sessions: the agent's browser joins, the customer is called, answers, leaves. Their conferences have
 * processed the event before (handleConferenceEvent): the rows hold its result, and the instance that wrote it has published it.
 *
 * Source: D12.4
 */
export async function handleSessionEvent(app: SoftphoneApp, event: SwitchEvent): Promise<void> {
  if (event.kind === 'conference') {
    if (event.action === 'joined') await memberJoined(app, event);
    return;
  }
  if (!('requestId' in event) || (event.kind !== 'answered' && event.kind !== 'hung_up')) return;
  if (isDispatchedCall(event.requestId)) return;
  const conference = await app.conferences.findByLeg(event.requestId);
  if (conference?.kind !== 'session') return;
  const callId = await app.softphoneSessions.findCallOfConference(conference.id);
  if (callId === null) return;
  const isOver =
    event.kind === 'hung_up' && (conference.status === 'ended' || endCauseOf(conference, { ...event, type: 'legsLeft' }) !== null);
  if (isOver) await finishSession(app, callId, event.cause);
  else app.softphoneSignals.publish(callId);
}

async function memberJoined(app: SoftphoneApp, { conferenceName, member, at }: ConferenceEvent): Promise<void> {
  if (member === null) return;
  const conference = await app.conferences.findByName(conferenceName);
  if (conference?.kind === 'session' && conference.status === 'routing') await agentJoined(app, conference, member, at);
}

/** The first member in a session's conference is its agent's browser, because only that browser knows the name. `at` is the join, UTC ms. */
async function agentJoined(
  app: SoftphoneApp,
  conference: ConferenceSession,
  member: Pick<ConferenceMember, 'channelUuid' | 'memberId'>,
  at: number,
): Promise<void> {
  const callId = await app.softphoneSessions.findCallOfConference(conference.id);
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
  const adopted = await app.conferences.adoptLeg(leg, session => decideConference(session, { type: 'personJoined', at }));
  if (adopted === null) return;
  const call = await app.softphoneCalls.find(callId);
  if (call === null) return;
  // The browser came too late: the reservation has ended, and the agent may be on another call.
  if (!(await app.agentReservations.answered(call.requestId, member.channelUuid, at)))
    return void (await finishSession(app, callId, 'NO_ANSWER'));
  await notifySession(app, callId, 'session', { status: 'agent_joined' });
  await recordConference(app, conference, startRecording);
  await callCustomer(app, conference, call);
}

async function callCustomer(app: SoftphoneApp, conference: ConferenceSession, call: SoftphoneCall): Promise<void> {
  const { id: callId } = call;
  if (call.dialKey === '') return;
  await notifySession(app, callId, 'session', { status: 'calling_customer' });
  try {
    await dialExternal(app, conference, {
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
    app.log.warn({ err: error, softphoneCallId: callId }, 'the customer of a session could not be called');
    await notifySession(app, callId, 'error', { message: isCalloutError(error) ? error.message : '呼叫客户失败' });
    await finishSession(app, callId, 'FAILED');
  }
}

/**
 * Ends sessions whose browser never joined, that exceed their time limits, or whose legs ended without an event, and closes what a crashed
 * instance left behind.
 *
 * Why:    a browser may join as long as its agent is reserved (D12.7)
 */
export async function reconcileSessions(app: SoftphoneApp): Promise<void> {
  for (const conference of await app.conferences.listRunning(MAX_SESSIONS)) {
    if (conference.kind !== 'session') continue;
    if (conference.status === 'routing' && (await findAgent(app, conference))) continue;
    const cause = endCauseOf(conference, await ageEvent(app, conference));
    if (cause === null) await holdAgent(app, conference);
    else await finishConference(app, conference.id, cause);
  }
  const left = await app.softphoneSessions.listUnfinished(app.clock.now() - UNFINISHED_MS, MAX_SESSIONS);
  for (const { softphoneCallId, fence } of left) await closeAbandonedCall(app, softphoneCallId, fence);
}

/** The browser's join may have been missed: its channel shows since when it waits. */
async function findAgent(app: SoftphoneApp, conference: ConferenceSession): Promise<boolean> {
  const { cellId, conferenceName } = conference;
  if (cellId === null) return false;
  const [member] = (await unlessUnreachable(() => app.rooms.members(cellId, conferenceName))) ?? [];
  if (member === undefined) return false;
  const channel = await unlessUnreachable(() => app.switchPort.probe(cellId, member.channelUuid));
  await agentJoined(app, conference, member, channel?.kind === 'answered' ? channel.answeredAt : app.clock.now());
  return true;
}

/** A conference has no record when the instance that opened it crashed before it linked the two. */
async function finishConference(app: SoftphoneApp, conferenceId: number, cause: string): Promise<void> {
  const callId = await app.softphoneSessions.findCallOfConference(conferenceId);
  if (callId === null) await endSession(app, conferenceId, { cause });
  else await finishSession(app, callId, cause);
}

/** Returns the cause with which this event ends the session; null when the session goes on. */
function endCauseOf(conference: ConferenceSession, event: SessionEvent): string | null {
  return decideConference(conference, event)?.session.endCause ?? null;
}

async function ageEvent(app: SoftphoneApp, conference: ConferenceSession): Promise<SessionEvent> {
  const callId = customerLegOf(conference) ? null : await app.softphoneSessions.findCallOfConference(conference.id);
  const call = callId === null ? null : await app.softphoneCalls.find(callId);
  const ages = { routingMs: BROWSER_JOIN_MS, callingMs: CUSTOMER_CALL_MS, sessionMs: app.conferenceSettings.maxSessionMs };
  return { type: 'aged', at: app.clock.now(), ...ages, isCustomerDue: call !== null && call.phoneNumber !== '' };
}

/** Confirms the join to the agent's actor, in case the instance that saw it crashed before it could. */
async function holdAgent({ agentReservations }: SoftphoneApp, { legs }: ConferenceSession): Promise<void> {
  const own = legs.find(leg => leg.role === 'agent' && leg.mode === 'session' && leg.status === 'joined');
  if (own) await agentReservations.answered(own.fence, own.legUuid, own.joinedAt ?? undefined);
}

async function closeAbandonedCall(app: SoftphoneApp, callId: number, fence: string): Promise<void> {
  await releaseAgent(app, fence);
  const end = { status: 'failed', endedAt: app.clock.now(), hangupCause: 'LOST', failureReason: '实例中断，未能完成会话' } as const;
  if (await app.softphoneCalls.close(callId, end)) app.softphoneSignals.publish(callId);
}

/**
 * Applies a runtime's report on a session: spoken text, recognised text, or an error.
 *
 * Errors: NOT_FOUND for an unknown session
 * Source: D10, D12.4
 */
export async function applySoftphoneReport(
  app: Pick<SoftphonesPart, 'softphoneSessions' | 'softphoneSignals'>,
  sessionId: string,
  { kind, sessionId: _session, runtimeId: _runtime, ...data }: SoftphoneReport,
): Promise<void> {
  const callId = await app.softphoneSessions.findCall(sessionId);
  if (callId === null) throw notFound('网页话机会话');
  await notifySession(app, callId, kind, data);
}
