import type { ConferenceSession } from '#ports/conference-store.ts';
import type { SwitchEvent } from '#ports/switch.ts';
import { dialExternal } from '../conferences/dial-external.ts';
import { startRecording } from '../conferences/settle.ts';
import { type SoftphoneSessionDeps, tellSession } from './deps.ts';
import { finishSession } from './end-session.ts';
import { customerOf } from './find-session.ts';

type ConferenceEvent = Extract<SwitchEvent, { kind: 'conference' }>;

/** A browser that has not dialled by then will not, ms. */
const ARRIVAL_MS = 120_000;
const MAX_SESSIONS = 1_000;

/**
 * What the switch tells of sessions of browser phones: the agent's browser comes in, the customer is called, answers, leaves.
 *
 * Source: D12.4
 */
export async function handleSessionEvent(deps: SoftphoneSessionDeps, event: SwitchEvent): Promise<void> {
  if (event.kind === 'conference') {
    if (event.action === 'joined') await memberJoined(deps, event);
    return;
  }
  if (!('requestId' in event) || (event.kind !== 'answered' && event.kind !== 'hung_up')) return;
  const conference = await deps.conferences.findByLeg(event.requestId);
  if (conference?.kind !== 'session') return;
  const callId = await deps.softphoneSessions.findCallOfConference(conference.id);
  if (callId === null) return;
  const isCustomer = customerOf(conference)?.legUuid === event.requestId;
  if (event.kind === 'answered') {
    if (isCustomer) await tellSession(deps, callId, 'session', { status: 'customer_joined' });
    return;
  }
  if (isCustomer || !hasTalker(conference, event.requestId)) return void (await finishSession(deps, callId, event.cause));
  // The agent has handed the customer over and is out; the others talk on.
  const isOwn = conference.legs.some(leg => leg.legUuid === event.requestId && leg.softphoneCallId === callId);
  if (isOwn) await tellSession(deps, callId, 'session', { status: 'ended', cause: event.cause });
}

/** Anybody of ours who still talks to the customer, beside the leg that has just ended. */
function hasTalker({ legs }: ConferenceSession, endedUuid: string | null): boolean {
  return legs.some(
    leg =>
      leg.legUuid !== endedUuid &&
      leg.status !== 'ended' &&
      leg.role !== 'supervisor' &&
      !(leg.role === 'external' && leg.mode === 'session'),
  );
}

/** The first stranger in the conference of a session is the browser of its agent: nobody else knows the name. */
async function memberJoined(deps: SoftphoneSessionDeps, { conferenceName, member, at }: ConferenceEvent): Promise<void> {
  if (member === null) return;
  const conference = await deps.conferences.findByName(conferenceName);
  if (conference?.kind !== 'session' || conference.status !== 'routing') return;
  const callId = await deps.softphoneSessions.findCallOfConference(conference.id);
  if (callId === null || conference.wishedAgentId === null) return;
  const isFirst = await deps.softphoneSessions.adoptAgentLeg({
    conferenceId: conference.id,
    softphoneCallId: callId,
    agentId: conference.wishedAgentId,
    legUuid: member.channelUuid,
    memberId: member.memberId,
    at,
  });
  if (!isFirst) return;
  await tellSession(deps, callId, 'session', { status: 'agent_joined' });
  await startRecording(deps, conference);
  await callCustomer(deps, conference, callId);
}

async function callCustomer(deps: SoftphoneSessionDeps, conference: ConferenceSession, callId: number): Promise<void> {
  const call = await deps.softphoneCalls.find(callId);
  if (call === null || call.phoneNumber === '') return;
  try {
    await dialExternal(deps, conference, {
      conferenceId: conference.id,
      role: 'external',
      mode: 'session',
      userId: call.userId,
      targetNumber: call.phoneNumber,
      askedByCallId: callId,
      canSpeak: true,
    });
    await tellSession(deps, callId, 'session', { status: 'calling_customer' });
  } catch (error) {
    deps.log.warn({ err: error, softphoneCallId: callId }, 'the customer of a session could not be called');
    await tellSession(deps, callId, 'error', { message: error instanceof Error ? error.message : '呼叫客户失败' });
    await finishSession(deps, callId, 'FAILED');
  }
}

/** Ends sessions whose browser never came, or whose legs have gone unheard. */
export async function reconcileSessions(deps: SoftphoneSessionDeps): Promise<void> {
  for (const conference of await deps.conferences.listRunning(MAX_SESSIONS)) {
    if (conference.kind !== 'session') continue;
    const isLate = conference.status === 'routing' && deps.clock.now() - conference.createdAt > ARRIVAL_MS;
    const isOver = conference.status === 'live' && (customerOf(conference)?.status === 'ended' || !hasTalker(conference, null));
    if (!isLate && !isOver) continue;
    const callId = await deps.softphoneSessions.findCallOfConference(conference.id);
    if (callId !== null) await finishSession(deps, callId, isLate ? 'NO_ANSWER' : 'LOST');
  }
}
