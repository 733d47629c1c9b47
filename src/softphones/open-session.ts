import { CalloutError, conflict, invalidArgument, isCalloutError, notFound } from '#kernel/errors.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import { numberOf } from '#agent-calls/place-call.ts';
import type { AgentAvailability } from '#agents/agent-directory.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import type { SoftphoneCall } from '#agent-calls/agent-call.ts';
import { audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type LegEnding, type LegHold, numberBusy, placeLeg, releaseHold, requireMeetingAllowed } from '#legs/place-leg.ts';
import { endSession } from '#conferences/conference-actor.ts';
import { HOLDER_KIND, notifySession, type SoftphoneApp } from './session.ts';

export interface SessionRequest {
  agentId?: number | null | undefined;
  phoneNumber?: string | null | undefined;
  contactId?: number | null | undefined;
  campaignId?: number | null | undefined;
  note?: string | null | undefined;
}

export interface OpenedSession {
  sessionId: string;
  softphoneCallId: number;
  serviceNumber: string;
  sipExtraHeaders: Record<string, string>;
}

/**
 * Opens a session of a browser phone: writes the record, then requests from the runtime the number and headers with which the browser dials.
 *
 * Errors: CONFLICT without an agent or a registered phone, or when the agent or the contact is on a call; POLICY_FORBIDS; FORBIDDEN for another
 *         user's agent; DOWNSTREAM_INVALID when no runtime replies within 3 s, in which case the record stays, marked failed
 * Source: OCS 4.14, D12.3, D12.4
 */
export async function openSession(app: SoftphoneApp, caller: Caller, request: SessionRequest): Promise<OpenedSession> {
  const agent = await agentOf(app, caller, request.agentId ?? null);
  requireFree(agent);
  const target = await targetOf(app, request);
  const cellId = cellOf(app, agent);
  const sessionId = app.ids();
  const opening = { caller, agent, request, target, cellId, sessionId };
  let opened: OpenedSession | null = null;
  await placeLeg(app, {
    agent: { choices: [{ holder: `${HOLDER_KIND}:${sessionId}`, agentId: agent.agentId, cellId }], refusal: agentBusy },
    record: hold => createRecord(app, opening, hold),
    async begin(call) {
      opened = await begin(app, opening, call);
    },
    end: (call, ending) => abandon(app, call, ending),
  });
  if (opened === null) throw new Error('a session is opened or refused with an error');
  return opened;
}

async function begin(app: SoftphoneApp, opening: Opening, call: SoftphoneCall): Promise<OpenedSession> {
  const { caller, agent, cellId, sessionId } = opening;
  const conference = await openConference(app, call, cellId);
  await notifySession(app, call.id, 'session', { status: 'created', sessionId, agentId: agent.agentId, conferenceId: conference.id });
  await audit(app, caller, {
    action: 'softphone_session.created',
    targetType: 'softphone_call',
    targetId: call.id,
    summary: '创建网页话机会话',
    detail: { agentId: agent.agentId, campaignId: call.campaignId, contactId: call.contactId },
  });
  return requestDial(app, opening, call, conference);
}

/** Ends a session that could not begin: its conference, its record, its agent. */
async function abandon(app: SoftphoneApp, { id }: SoftphoneCall, { error, hold }: LegEnding): Promise<void> {
  const reason = isCalloutError(error) ? error.message : '话术引擎未应答';
  await notifySession(app, id, 'error', { message: reason });
  const conferenceId = (await app.softphoneCalls.find(id))?.conferenceId ?? null;
  if (conferenceId !== null) await endSession(app, Number(conferenceId), { cause: 'FAILED' });
  await app.softphoneCalls.close(id, { status: 'failed', endedAt: app.clock.now(), failureReason: reason });
  app.softphoneSignals.publish(id);
  await releaseHold(app, hold);
}

async function agentOf({ agentDirectory }: SoftphoneApp, caller: Caller, agentId: number | null): Promise<AgentAvailability> {
  const own = caller.userId === null ? undefined : await agentDirectory.findByUser(caller.userId);
  if (agentId === null || agentId === own?.agentId) {
    if (own === undefined) throw conflict('AGENT_MISSING', '当前用户未绑定坐席');
    return own;
  }
  if (!caller.permissions.has('campaign:dispatch')) throw new CalloutError('FORBIDDEN', '只能使用自己的坐席');
  const agent = await agentDirectory.find(agentId);
  if (agent === undefined) throw notFound('坐席');
  return agent;
}

function requireFree(agent: AgentAvailability): void {
  if (agent.registrationStatus !== 'registered') throw conflict('PHONE_UNREGISTERED', '坐席话机未注册');
  if (agent.status !== 'idle') throw agentBusy();
}

function agentBusy(): CalloutError {
  return conflict('AGENT_BUSY', '坐席不在空闲状态');
}

interface Target {
  /** Null when no number is to be called. */
  number: { phoneNumber: string; dialKey: string } | null;
  campaignId: number | null;
}

/** A contact supplies its number and its campaign. */
async function targetOf(app: SoftphoneApp, { phoneNumber, contactId, campaignId }: SessionRequest): Promise<Target> {
  const contact = contactId == null ? null : await app.callTargets.findContact(contactId);
  if (contactId != null && contact === null) throw notFound('联系人');
  const number = numberOf({ phoneNumber }, contact, app.region);
  if (number !== null && destinationNumber(number.dialKey) === null) throw invalidArgument('phoneNumber', 'wrongForm');
  const target = { number, campaignId: campaignId ?? contact?.campaignId ?? null };
  if (number !== null) await requireMeetingAllowed(app, target.campaignId, number.dialKey);
  return target;
}

/** Returns the agent's own cell, else the first one that is up. */
function cellOf({ switchPort }: SoftphoneApp, agent: AgentAvailability): string {
  const cells = switchPort.cells().filter(cell => cell.isEnabled && cell.state === 'up');
  const cell = cells.find(each => agent.cellId === null || each.cellId === agent.cellId);
  if (!cell) throw new CalloutError('SWITCH_UNAVAILABLE', '没有可用的交换机单元');
  return cell.cellId;
}

interface Opening {
  caller: Caller;
  agent: AgentAvailability;
  request: SessionRequest;
  target: Target;
  cellId: string;
  sessionId: string;
}

/** The record has the fence of the agent's reservation as its request id, so that ending the session releases the agent. */
async function createRecord(
  app: SoftphoneApp,
  { caller, agent, request, target, cellId, sessionId }: Opening,
  { agent: reservation }: LegHold,
): Promise<SoftphoneCall> {
  if (reservation === null) throw new Error('a session was opened without its agent');
  const created = await app.softphoneCalls.create({
    requestId: reservation.fence,
    direction: 'session',
    agentId: agent.agentId,
    userId: agent.userId ?? caller.userId,
    campaignId: target.campaignId,
    contactId: request.contactId ?? null,
    sessionId,
    ...(target.number && { number: target.number }),
    cellId,
    note: request.note ?? '',
    legs: [],
    checkDoNotCall: target.number !== null,
  });
  if (created === 'contact_busy') throw conflict('PERSON_IN_CALL', '联系人正在通话中');
  if (created === 'number_busy') throw await numberBusy(app.callTargets, target.number?.dialKey ?? '');
  if (created === 'listed') throw new CalloutError('POLICY_FORBIDS', '当前外呼策略禁止调度：号码在勿扰名单中');
  return created;
}

async function openConference(app: SoftphoneApp, call: SoftphoneCall, cellId: string): Promise<ConferenceSession> {
  const opened = await app.conferences.open({
    conferenceName: `callout-${app.ids()}`,
    kind: 'session',
    requestId: null,
    attemptId: null,
    campaignId: call.campaignId,
    customerUuid: null,
    cellId,
    preferredAgentId: call.agentId,
    onlyPreferred: true,
    groupId: null,
    interventionId: null,
    reason: '',
  });
  if (opened === 'gone') throw conflict('SESSION_ENDED', '会话已结束');
  await app.softphoneSessions.attach(call.id, opened.session.id);
  return opened.session;
}

/** The runtime names the number and the headers with which the browser dials. */
async function requestDial(
  app: SoftphoneApp,
  { agent, sessionId, cellId }: Opening,
  call: SoftphoneCall,
  conference: ConferenceSession,
): Promise<OpenedSession> {
  const answer = await app.softphoneRuntime.open({
    sessionId,
    softphoneCallId: call.id,
    agentId: agent.agentId,
    phoneExtension: agent.phoneExtension,
    conferenceName: conference.conferenceName,
    conferenceProfile: app.conferenceSettings.profileOf(cellId),
    cellId,
    phoneNumber: call.phoneNumber,
    campaignId: call.campaignId,
    contactId: call.contactId,
  });
  return { sessionId, softphoneCallId: call.id, serviceNumber: answer.serviceNumber, sipExtraHeaders: answer.sipExtraHeaders };
}
