import { CalloutError, conflict, invalidArgument, isCalloutError, notFound } from '#kernel/errors.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import { numberOf } from '#agent-calls/place-call.ts';
import type { AgentAvailability } from '#agents/agent-directory.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import type { SoftphoneCall } from '#agent-calls/agent-call.ts';
import { audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { meetingRefusal } from '#dialling/evaluate.ts';
import { numberBusy } from '#legs/number-busy.ts';
import { endSession } from '#conferences/send-to-conference.ts';
import { HOLDER_KIND, releaseAgent, type SoftphoneSessionDeps, notifySession } from './session.ts';

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
 * Why:    the agent is reserved under a lease before the record is written, so that no other call takes it; after a crash the lease expires
 * Errors: CONFLICT without an agent or a registered phone, or when the agent or the contact is on a call; POLICY_FORBIDS; FORBIDDEN for another
 *         user's agent; DOWNSTREAM_INVALID when no runtime replies within 3 s, in which case the record stays, marked failed
 * Source: OCS 4.14, D12.3, D12.4
 */
export async function openSession(deps: SoftphoneSessionDeps, caller: Caller, request: SessionRequest): Promise<OpenedSession> {
  const agent = await agentOf(deps, caller, request.agentId ?? null);
  requireFree(agent);
  const target = await targetOf(deps, request);
  const cellId = cellOf(deps, agent);
  const sessionId = deps.ids();
  const reservation = await deps.reservations.reserve({ holder: `${HOLDER_KIND}:${sessionId}`, agentId: agent.agentId, cellId });
  if (reservation === undefined) throw conflict('AGENT_BUSY', '坐席不在空闲状态');
  try {
    return await begin(deps, { caller, agent, request, target, cellId, sessionId, fence: reservation.fence });
  } catch (error) {
    await releaseAgent(deps, reservation.fence);
    throw error;
  }
}

async function begin(deps: SoftphoneSessionDeps, opening: Opening): Promise<OpenedSession> {
  const { caller, agent, cellId, sessionId } = opening;
  const call = await createRecord(deps, opening);
  const conference = await openConference(deps, call, cellId);
  await notifySession(deps, call.id, 'session', { status: 'created', sessionId, agentId: agent.agentId, conferenceId: conference.id });
  await audit(deps, caller, {
    action: 'softphone_session.created',
    targetType: 'softphone_call',
    targetId: call.id,
    summary: '创建网页话机会话',
    detail: { agentId: agent.agentId, campaignId: call.campaignId, contactId: call.contactId },
  });
  return askRuntime(deps, opening, call, conference);
}

async function agentOf({ agents }: SoftphoneSessionDeps, caller: Caller, agentId: number | null): Promise<AgentAvailability> {
  const own = caller.userId === null ? undefined : await agents.findByUser(caller.userId);
  if (agentId === null || agentId === own?.agentId) {
    if (own === undefined) throw conflict('AGENT_MISSING', '当前用户未绑定坐席');
    return own;
  }
  if (!caller.permissions.has('campaign:dispatch')) throw new CalloutError('FORBIDDEN', '只能使用自己的坐席');
  const agent = await agents.find(agentId);
  if (agent === undefined) throw notFound('坐席');
  return agent;
}

function requireFree(agent: AgentAvailability): void {
  if (agent.registrationStatus !== 'registered') throw conflict('PHONE_UNREGISTERED', '坐席话机未注册');
  if (agent.status !== 'idle') throw conflict('AGENT_BUSY', '坐席不在空闲状态');
}

interface Target {
  /** Null when no number is to be called. */
  number: { phoneNumber: string; dialKey: string } | null;
  campaignId: number | null;
}

/** A contact supplies its number and its campaign. */
async function targetOf(deps: SoftphoneSessionDeps, { phoneNumber, contactId, campaignId }: SessionRequest): Promise<Target> {
  const contact = contactId == null ? null : await deps.callTargets.findContact(contactId);
  if (contactId != null && contact === null) throw notFound('联系人');
  const number = numberOf({ phoneNumber }, contact, deps.region);
  if (number !== null && destinationNumber(number.dialKey) === null) throw invalidArgument('phoneNumber', 'wrongForm');
  const target = { number, campaignId: campaignId ?? contact?.campaignId ?? null };
  if (number !== null) await requireAllowed(deps, target.campaignId, number.dialKey);
  return target;
}

async function requireAllowed(deps: SoftphoneSessionDeps, campaignId: number | null, dialKey: string): Promise<void> {
  const refusal = await meetingRefusal(deps, campaignId, dialKey);
  if (refusal !== null) throw new CalloutError('POLICY_FORBIDS', `当前外呼策略禁止调度：${refusal}`);
}

/** Returns the agent's own cell, else the first one that is up. */
function cellOf({ switchPort }: SoftphoneSessionDeps, agent: AgentAvailability): string {
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
  /** Fence of the agent's reservation; stored in the record, so that ending the session releases the agent. */
  fence: string;
}

async function createRecord(
  deps: SoftphoneSessionDeps,
  { caller, agent, request, target, cellId, sessionId, fence }: Opening,
): Promise<SoftphoneCall> {
  const created = await deps.softphoneCalls.create({
    requestId: fence,
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
  if (created === 'number_busy') throw await numberBusy(deps.callTargets, target.number?.dialKey ?? '');
  if (created === 'listed') throw new CalloutError('POLICY_FORBIDS', '当前外呼策略禁止调度：号码在勿扰名单中');
  return created;
}

async function openConference(deps: SoftphoneSessionDeps, call: SoftphoneCall, cellId: string): Promise<ConferenceSession> {
  const opened = await deps.conferences.open({
    conferenceName: `callout-${deps.ids()}`,
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
  await deps.softphoneSessions.attach(call.id, opened.session.id);
  return opened.session;
}

async function askRuntime(
  deps: SoftphoneSessionDeps,
  { agent, sessionId, cellId }: Opening,
  call: SoftphoneCall,
  conference: ConferenceSession,
): Promise<OpenedSession> {
  try {
    const answer = await deps.softphoneRuntime.open({
      sessionId,
      softphoneCallId: call.id,
      agentId: agent.agentId,
      phoneExtension: agent.phoneExtension,
      conferenceName: conference.conferenceName,
      conferenceProfile: deps.conferenceSettings.profileOf(cellId),
      cellId,
      phoneNumber: call.phoneNumber,
      campaignId: call.campaignId,
      contactId: call.contactId,
    });
    return { sessionId, softphoneCallId: call.id, serviceNumber: answer.serviceNumber, sipExtraHeaders: answer.sipExtraHeaders };
  } catch (error) {
    const reason = isCalloutError(error) ? error.message : '话术运行时未应答';
    await notifySession(deps, call.id, 'error', { message: reason });
    await endSession(deps, conference.id, { cause: 'FAILED' });
    await deps.softphoneCalls.close(call.id, { status: 'failed', endedAt: deps.clock.now(), failureReason: reason });
    deps.softphoneSignals.publish(call.id);
    throw error;
  }
}
