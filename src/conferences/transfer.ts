import { nextAgents } from '#actors/conference/context.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { sleep } from '#kernel/clock.ts';
import { conflict, invalidArgument, notFound } from '#kernel/errors.ts';
import { type ConferenceApp, type ConferenceSettings, endSession, sendToConference } from './conference-actor.ts';
import type { ConferenceLeg, ConferenceSession, TransferableCall } from './conference.ts';
import { callPhone } from './call-in.ts';
import type { Platform } from '#platform/platform.ts';

/**
 * Rings the next agent: reserves exactly one, adds the leg, originates it. Null when no agent is left to ring, or the session has ended.
 *
 * Source: D12.5, D12.7
 */
export async function ringNext(app: ConferenceApp, session: ConferenceSession): Promise<ConferenceLeg | null> {
  const [tried, maxAsked] = [[...session.triedAgentIds], app.conferenceSettings.maxAgentsAsked];
  for (;;) {
    const choices = nextAgents(session, { tried, maxAsked }).map(choice => ({ ...reservationOf(session, tried.length), ...choice }));
    const placed = await callPhone(app, session, { agent: { choices }, leg: TRANSFER_LEG });
    if (placed === null) return null;
    if (placed.isSent) return placed.row;
    if (placed.row.agentId !== null) tried.push(placed.row.agentId);
  }
}

const TRANSFER_LEG = { role: 'agent', mode: 'transfer', userId: null, askedByCallId: null, canSpeak: true } as const;

function reservationOf({ id, cellId, attemptId, campaignId }: ConferenceSession, tried: number) {
  return {
    // One holder name per agent to be rung: concurrent reviews of the session get the same reservation, never the previous agent's.
    holder: `conference:${id}:${tried}`,
    campaignId,
    ...(cellId === null ? {} : { cellId }),
    ...(attemptId === null ? {} : { currentCall: `attempt:${attemptId}` }),
  };
}

interface TransferRequest {
  requestId?: string | undefined;
  attemptId?: number | undefined;
  customerUuid: string;
  cellId?: string | undefined;
  groupId?: number | null | undefined;
  agentId?: number | null | undefined;
  interventionId?: string | null | undefined;
  reason: string;
}

interface RoutedTransfer {
  conferenceId: number;
  conferenceName: string;
  agent: { id: number; name: string; phoneExtension: string };
  softphoneCallId: number;
  agentCallUuid: string;
}

/** How long a repeated request waits for the reservation of the first one, in ms. */
const RUNNING_WAIT_MS = 5_000;
const RUNNING_POLL_MS = 50;
const NOBODY = '当前没有空闲坐席';
const GONE = '客户已挂断';

/**
 * Reserves one idle agent for a customer and calls it into the conference; the customer joins once the agent has answered.
 *
 * Errors: INVALID_ARGUMENT for a cell that is not configured; NOT_FOUND for an unknown call; CONFLICT when the customer is gone or no agent is
 *         idle; SWITCH_UNAVAILABLE
 * Source: OCS 4.15, D12.5, D12.7
 */
export async function routeTransfer(app: ConferenceApp, request: TransferRequest): Promise<RoutedTransfer> {
  const running = await app.conferences.findByCustomer(request.customerUuid);
  if (running !== null && !(await makesWay(app, running, request))) return answerOfRunning(app, running.id);
  const call = await app.conferences.findCall(request);
  if (call === null) throw notFound('通话');
  const cellId = cellOf(app, request, call);
  if (cellId === null) throw conflict('CALL_ENDED', '通话不在任何交换机单元上');
  if ((await app.switchPort.probe(cellId, request.customerUuid)).kind === 'absent') throw conflict('CALL_ENDED', GONE);
  const opened = await app.conferences.open(newConference(app, request, call, cellId));
  if (opened === 'gone') throw conflict('CALL_ENDED', GONE);
  if (!opened.isNew) return answerOfRunning(app, opened.session.id);
  return ringFirst(app, opened.session);
}

async function makesWay(app: ConferenceApp, running: ConferenceSession, { interventionId = null }: TransferRequest): Promise<boolean> {
  return interventionId !== null && (await sendToConference(app, running.id, { type: 'intervened', at: app.clock.now() })) !== null;
}

/** Returns the call's own cell unless the runtime names one. */
function cellOf({ switchPort }: Pick<Platform, 'switchPort'>, request: TransferRequest, call: TransferableCall): string | null {
  const named = request.cellId?.trim() ?? '';
  if (named === '') return call.cellId;
  if (!switchPort.cells().some(({ cellId }) => cellId === named)) throw invalidArgument('cellId', 'unknownCell');
  return named;
}

function newConference(app: ConferenceApp, request: TransferRequest, call: TransferableCall, cellId: string) {
  const { agentId = null, interventionId = null, groupId = null, customerUuid, reason } = request;
  return {
    conferenceName: `callout-${app.ids()}`,
    kind: 'transfer' as const,
    requestId: call.requestId,
    attemptId: call.attemptId,
    campaignId: call.campaignId,
    customerUuid,
    cellId,
    preferredAgentId: agentId,
    // The agent of an intervention is only preferred: when it cannot take the call, any other agent may.
    onlyPreferred: agentId !== null && interventionId === null,
    groupId,
    interventionId,
    reason,
  };
}

async function ringFirst(app: ConferenceApp, session: ConferenceSession): Promise<RoutedTransfer> {
  try {
    const leg = await ringNext(app, session);
    if (leg !== null) return present(session, leg);
  } catch (error) {
    await endSession(app, session.id, { cause: 'FAILED' });
    throw error;
  }
  // The reconciler may be ringing an agent for this session at the same moment.
  const now = await app.conferences.find(session.id);
  const leg = now && offeredLegOf(now);
  if (leg) return present(now, leg);
  const ended = await endSession(app, session.id, { cause: 'NO_ANSWER' });
  throw ended === null ? conflict('CALL_ENDED', GONE) : conflict('NO_AGENT_FREE', NOBODY);
}

/** A repeated request for the same customer gets the result of the first one, once it is known. */
async function answerOfRunning(app: ConferenceApp, conferenceId: number): Promise<RoutedTransfer> {
  const deadline = app.clock.monotonic() + RUNNING_WAIT_MS;
  for (;;) {
    const session = await app.conferences.find(conferenceId);
    if (session === null || session.status === 'ended') throw conflict('NO_AGENT_FREE', NOBODY);
    const leg = offeredLegOf(session);
    if (leg) return present(session, leg);
    if (app.clock.monotonic() > deadline) throw conflict('NO_AGENT_FREE', NOBODY);
    await sleep(app.clock, RUNNING_POLL_MS);
  }
}

function offeredLegOf({ legs }: ConferenceSession): ConferenceLeg | undefined {
  return legs.find(({ mode, status }) => mode === 'transfer' && status !== 'ended');
}

function present({ id, conferenceName }: ConferenceSession, leg: ConferenceLeg): RoutedTransfer {
  return {
    conferenceId: id,
    conferenceName,
    agent: { id: leg.agentId ?? 0, name: leg.agentName ?? '', phoneExtension: leg.targetNumber },
    softphoneCallId: leg.softphoneCallId,
    agentCallUuid: leg.legUuid,
  };
}

/**
 * Routes a transfer and audits it; shared by all edges.
 *
 * Errors: those of `routeTransfer`; DATABASE_UNAVAILABLE
 * Source: OCS 4.15, D3.7
 */
export async function commandRoute(app: ConferenceApp & AuditPart, caller: Caller, request: TransferRequest): Promise<RoutedTransfer> {
  const routed = await routeTransfer(app, request);
  const { conferenceId, agent, softphoneCallId } = routed;
  await audit(app, caller, {
    action: 'transfer.routed',
    targetType: 'conference',
    targetId: conferenceId,
    summary: `将客户转给坐席「${agent.name}」`,
    detail: { customerUuid: request.customerUuid, agentId: agent.id, softphoneCallId },
  });
  return routed;
}

/** Ends a transfer and audits it; a transfer that had ended before writes no row. Errors: those of `endTransfer`; DATABASE_UNAVAILABLE */
export async function commandEnd(app: ConferenceApp & AuditPart, caller: Caller, ending: TransferEnding): Promise<EndedTransfer> {
  const ended = await endTransfer(app, ending);
  if (!ended.ended) return ended;
  await audit(app, caller, {
    action: 'transfer.ended',
    targetType: 'conference',
    targetId: ending.conferenceId ?? null,
    summary: '结束转人工',
    detail: { customerUuid: ending.customerUuid, released: ended.released },
  });
  return ended;
}

interface TransferEnding {
  customerUuid: string;
  conferenceId?: number | undefined;
}

interface EndedTransfer {
  ended: boolean;
  released: { softphoneCallId: number; agentId: number | null }[];
}

/**
 * Closes a customer's conference after the customer has hung up; safe to repeat.
 *
 * Why:    an end that arrives before its route has returned must not be lost: the route then finds the customer gone and releases its agent
 * Errors: CONFLICT when the conference belongs to another customer
 * Source: OCS 4.15, D12.5
 */
async function endTransfer(app: ConferenceApp, { customerUuid, conferenceId }: TransferEnding): Promise<EndedTransfer> {
  const named = conferenceId === undefined ? null : await app.conferences.find(conferenceId);
  if (named !== null && named.customerUuid !== customerUuid) throw conflict('CUSTOMER_MISMATCH', '客户通道与会议不符');
  await app.conferences.recordGone(customerUuid, app.clock.now());
  const session = await app.conferences.findByCustomer(customerUuid);
  const legs = session === null ? null : await endSession(app, session.id, 'customerLeft');
  return {
    ended: legs !== null,
    released: (legs ?? []).map(({ softphoneCallId, agentId }) => ({ softphoneCallId, agentId })),
  };
}

/** Allowance for the time between the rings of successive agents, in ms. */
const ROUTING_MARGIN_MS = 30_000;

/** Returns the longest time until an agent is found for a customer or the search ends, in ms. Source: D12.5 */
export function longestSearchMs({
  ringTimeoutSeconds,
  maxAgentsAsked,
}: Pick<ConferenceSettings, 'ringTimeoutSeconds' | 'maxAgentsAsked'>): number {
  return ringTimeoutSeconds * 1_000 * maxAgentsAsked + ROUTING_MARGIN_MS;
}
