import { isCalloutError } from '#kernel/errors.ts';
import type { SoftphoneCall, SoftphoneStore } from './agent-call.ts';
import type { AgentCallHost } from './agent-call-actor.ts';
import type { AgentCallDeps } from './deps.ts';

/** Records read per page. */
const PAGE = 200;
/** Least age of a record without an actor before it is closed, in ms: the reservation lease and a margin. */
const MIN_AGE_MS = 35_000;

/**
 * Closes records whose actor was never created, or was lost with the cache, once none of their channels exists.
 *
 * Why:    an instance may die between the record and the first ring; while a cell cannot be probed, its records stay open
 * Source: A6 steps 3 and 10, D12.7
 */
export async function sweepAgentCalls(deps: AgentCallDeps & { agentCallHost: AgentCallHost }): Promise<number> {
  let closed = 0;
  for await (const page of openCalls(deps)) {
    for (const call of page) if (await isLost(deps, call)) closed += Number(await closeLostCall(deps, call));
  }
  return closed;
}

/** Probes the legs of every call at a cell that is reachable again, because their events may have been lost. Source: A6 step 11 */
export async function suspectCalls(
  deps: Pick<AgentCallDeps, 'ids'> & { softphoneCalls: Pick<SoftphoneStore, 'listOpen'>; agentCallHost: AgentCallHost },
  cellId: string,
): Promise<void> {
  for await (const page of openCalls(deps)) {
    const there = page.filter(call => call.legs.some(leg => leg.cellId === cellId));
    await Promise.all(there.map(call => deps.agentCallHost.send(call.requestId, { type: 'callSuspected' }, `suspect:${deps.ids()}`)));
  }
}

async function* openCalls({ softphoneCalls }: { softphoneCalls: Pick<SoftphoneStore, 'listOpen'> }): AsyncGenerator<SoftphoneCall[]> {
  let page: SoftphoneCall[] = [];
  do {
    page = await softphoneCalls.listOpen(page.at(-1)?.id ?? 0, PAGE);
    yield page;
  } while (page.length === PAGE);
}

async function isLost(deps: AgentCallDeps & { agentCallHost: AgentCallHost }, call: SoftphoneCall): Promise<boolean> {
  if (deps.clock.now() - call.createdAt < MIN_AGE_MS) return false;
  if ((await deps.agentCallHost.find(call.requestId)) !== null) return false;
  try {
    for (const leg of call.legs) {
      if (leg.cellId !== null && (await deps.switchPort.probe(leg.cellId, leg.legUuid)).kind !== 'absent') return false;
    }
    return true;
  } catch (error) {
    if (isCalloutError(error, 'SWITCH_UNAVAILABLE')) return false;
    throw error;
  }
}

async function closeLostCall(deps: AgentCallDeps, call: SoftphoneCall): Promise<boolean> {
  for (const leg of call.legs) if (leg.role === 'agent') await deps.agentReservations.release(leg.legUuid);
  const wasAnswered = call.answeredAt !== null;
  const closed = await deps.softphoneCalls.close(call.id, {
    status: wasAnswered ? 'completed' : 'failed',
    endedAt: deps.clock.now(),
    hangupCause: 'UNKNOWN',
    failureReason: wasAnswered ? null : '实例中断，未能完成呼叫',
  });
  await deps.slots.release([call.requestId]);
  return closed;
}
