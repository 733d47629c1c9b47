import { sleep } from '#kernel/clock.ts';
import { conflict, invalidArgument, notFound } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';
import type { TransferableCall } from './ports-conference-store.ts';
import type { ConferenceDeps } from './deps.ts';
import { endSession, sendToConference } from './send-to-conference.ts';
import { ringNext } from './ring-next.ts';

export interface TransferRequest {
  requestId?: string | undefined;
  attemptId?: number | undefined;
  customerUuid: string;
  cellId?: string | undefined;
  groupId?: number | null | undefined;
  agentId?: number | null | undefined;
  interventionId?: string | null | undefined;
  reason: string;
}

export interface RoutedTransfer {
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
export async function routeTransfer(deps: ConferenceDeps, request: TransferRequest): Promise<RoutedTransfer> {
  const running = await deps.conferences.findByCustomer(request.customerUuid);
  if (running !== null && !(await makesWay(deps, running, request))) return answerOfRunning(deps, running.id);
  const call = await deps.conferences.findCall(request);
  if (call === null) throw notFound('通话');
  const cellId = cellOf(deps, request, call);
  if (cellId === null) throw conflict('CALL_ENDED', '通话不在任何交换机单元上');
  if ((await deps.switchPort.probe(cellId, request.customerUuid)).kind === 'absent') throw conflict('CALL_ENDED', GONE);
  const opened = await deps.conferences.open(newConference(deps, request, call, cellId));
  if (opened === 'gone') throw conflict('CALL_ENDED', GONE);
  if (!opened.isNew) return answerOfRunning(deps, opened.session.id);
  return ringFirst(deps, opened.session);
}

async function makesWay(deps: ConferenceDeps, running: ConferenceSession, { interventionId = null }: TransferRequest): Promise<boolean> {
  return interventionId !== null && (await sendToConference(deps, running, { type: 'intervened', at: deps.clock.now() })) !== null;
}

/** Returns the call's own cell unless the runtime names one. */
function cellOf({ switchPort }: Pick<ConferenceDeps, 'switchPort'>, request: TransferRequest, call: TransferableCall): string | null {
  const named = request.cellId?.trim() ?? '';
  if (named === '') return call.cellId;
  if (!switchPort.cells().some(({ cellId }) => cellId === named)) throw invalidArgument('cellId', '不是已配置的交换机单元');
  return named;
}

function newConference(deps: ConferenceDeps, request: TransferRequest, call: TransferableCall, cellId: string) {
  const { agentId = null, interventionId = null, groupId = null, customerUuid, reason } = request;
  return {
    conferenceName: `callout-${deps.ids()}`,
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

async function ringFirst(deps: ConferenceDeps, session: ConferenceSession): Promise<RoutedTransfer> {
  try {
    const ringing = await ringNext(deps, session);
    if (ringing !== null) return present(session, ringing.leg, ringing.agent.phoneExtension);
  } catch (error) {
    await endSession(deps, session.id, { cause: 'FAILED' });
    throw error;
  }
  // The reconciler may be ringing an agent for this session at the same moment.
  const now = await deps.conferences.find(session.id);
  const leg = now && offeredLegOf(now);
  if (leg) return present(now, leg, leg.targetNumber);
  const ended = await endSession(deps, session.id, { cause: 'NO_ANSWER' });
  throw ended === null ? conflict('CALL_ENDED', GONE) : conflict('NO_AGENT_FREE', NOBODY);
}

/** A repeated request for the same customer gets the result of the first one, once it is known. */
async function answerOfRunning(deps: ConferenceDeps, conferenceId: number): Promise<RoutedTransfer> {
  const deadline = deps.clock.monotonic() + RUNNING_WAIT_MS;
  for (;;) {
    const session = await deps.conferences.find(conferenceId);
    if (session === null || session.status === 'ended') throw conflict('NO_AGENT_FREE', NOBODY);
    const leg = offeredLegOf(session);
    if (leg) return present(session, leg, leg.targetNumber);
    if (deps.clock.monotonic() > deadline) throw conflict('NO_AGENT_FREE', NOBODY);
    await sleep(deps.clock, RUNNING_POLL_MS);
  }
}

function offeredLegOf({ legs }: ConferenceSession): ConferenceLeg | undefined {
  return legs.find(({ mode, status }) => mode === 'transfer' && status !== 'ended');
}

function present({ id, conferenceName }: ConferenceSession, leg: ConferenceLeg, phoneExtension: string): RoutedTransfer {
  return {
    conferenceId: id,
    conferenceName,
    agent: { id: leg.agentId ?? 0, name: leg.agentName ?? '', phoneExtension },
    softphoneCallId: leg.softphoneCallId,
    agentCallUuid: leg.legUuid,
  };
}
