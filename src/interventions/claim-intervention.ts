import { CalloutError, conflict, isCalloutError } from '#kernel/errors.ts';
import type { InterventionTiming } from '#actors/intervention/events.ts';
import type { AgentAvailability, AgentDirectory, AgentReservations } from '#agents/agent-directory.ts';
import type { ConferenceStore } from '#conferences/conference.ts';
import { interventionHolder } from '#agents/agent.ts';
import type { Platform } from '#platform/platform.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type CallState, parseMeta } from '#calls/call-actor.ts';
import { type FindCallDeps, getCall, requestIdOf, sendToCall } from '#calls/find-call.ts';
import { callChange, type CallIntervention } from '#calls/publish-call.ts';
import { requireCancellable, requireClaimable, requireMayNameAgent, requireReady, requireUnanswered } from './claim-guards.ts';

export interface InterventionDeps extends FindCallDeps, AuditDeps, Pick<Platform, 'clock' | 'ids'> {
  agentDirectory: Pick<AgentDirectory, 'find' | 'findByUser'>;
  agentReservations: Pick<AgentReservations, 'reserve' | 'release'>;
  conferences: Pick<ConferenceStore, 'findByCustomer'>;
}

export interface InterventionAnswer {
  requestId: string;
  intervention: CallIntervention;
}

/** When to hand over, and to which agent; only a supervisor may name an agent other than their own. */
export interface ClaimRequest {
  when?: InterventionTiming | undefined;
  agentId?: number | undefined;
}

/**
 * Claims a live call for take-over: the first claim wins, its agent is reserved, and the runtime hands the call over at its next node boundary
 * or at once.
 *
 * Why:    the agent is reserved first, so that no transfer takes it between claim and hand-over; an effect in the commit that ends the claim
 *         releases it, and a reservation orphaned by a crash between the two steps expires (D12.7)
 * Errors: NOT_FOUND; GONE; FORBIDDEN for a call that another user watches, or for another user's agent; CONFLICT when the call is claimed, not
 *         live or already with an agent, or the agent cannot take it; CACHE_UNAVAILABLE
 * Source: OCS 3, 4.12, D9.3
 */
export async function claimIntervention(
  deps: InterventionDeps,
  caller: Caller,
  callKey: string,
  { when = 'boundary', agentId }: ClaimRequest = {},
): Promise<InterventionAnswer> {
  const requestId = await requestIdOf(deps, callKey);
  const { userId } = caller;
  const claim = { userId, isSupervisor: caller.permissions.has('campaign:dispatch') };
  // Most late claims end here, after a single read of the call.
  const seen = await getCall(deps, requestId);
  requireClaimable(callChange(seen.state), claim);
  const [conference, own] = await Promise.all([
    deps.conferences.findByCustomer(requestId),
    userId === null ? undefined : deps.agentDirectory.findByUser(userId),
  ]);
  requireUnanswered(conference);
  const isOther = agentId !== undefined && agentId !== own?.agentId;
  if (isOther) requireMayNameAgent(claim);
  const agent = isOther ? await deps.agentDirectory.find(agentId) : own;
  const needsAgent = agentId !== undefined || !claim.isSupervisor;
  requireReady(agent, { isNeeded: needsAgent });
  const id = deps.ids();
  const held = await holdAgent(deps, { id, requestId, agent, cellId: parseMeta(seen.meta)?.cellId });
  if (!held && needsAgent) throw conflict('AGENT_BUSY', '坐席刚被其他通话占用，不能介入');
  try {
    const event = { type: 'interventionClaimed', id, ...claim, agentId: agent?.agentId ?? null, when, at: deps.clock.now() } as const;
    const outcome = await sendToCall(deps, requestId, { event, commandId: `claim:${id}`, seen });
    if (outcome.kind === 'ignored') {
      requireClaimable(callChange(outcome.state), claim);
      throw conflict('CHANGED_MEANWHILE', '该通话当前不能介入');
    }
    await audit(deps, caller, {
      action: 'intervention.claimed',
      targetType: 'call',
      targetId: requestId,
      summary: '申请人工介入通话',
      detail: { interventionId: id, agentId: event.agentId, when },
    });
    return { requestId, intervention: interventionOf(outcome.state) };
  } catch (error) {
    if (held && isRefusal(error)) await deps.agentReservations.release(held.fence);
    throw error;
  }
}

/** A refused claim left nothing behind; after any other failure it may have been committed, and its end then releases the agent. */
function isRefusal(error: unknown): boolean {
  return isCalloutError(error) && ['CONFLICT', 'FORBIDDEN', 'NOT_FOUND', 'GONE'].includes(error.code);
}

interface Claimed {
  id: string;
  requestId: string;
  agent: AgentAvailability | undefined;
  cellId: string | undefined;
}

/** Returns undefined when the agent is not free, or cannot be reached at the customer's cell. */
async function holdAgent({ agentReservations }: InterventionDeps, { id, requestId, agent, cellId }: Claimed) {
  if (agent?.status !== 'idle') return undefined;
  const holder = interventionHolder(id);
  const currentCall = `request:${requestId}`;
  return agentReservations.reserve({ holder, agentId: agent.agentId, currentCall, ...(cellId === undefined ? {} : { cellId }) });
}

/** Returns the intervention after an accepted event. */
function interventionOf(state: CallState): CallIntervention {
  const { intervention } = callChange(state);
  if (!intervention) throw new CalloutError('INTERNAL', '服务器内部错误', { cause: new Error('an accepted claim left no intervention') });
  return intervention;
}

/**
 * Withdraws the initiator's request, as long as no transfer has begun.
 *
 * Errors: NOT_FOUND; GONE; FORBIDDEN for another user; CONFLICT when nothing is requested or the transfer has begun; CACHE_UNAVAILABLE
 * Source: OCS 3, 4.12, D9.3
 */
export async function cancelIntervention(
  deps: Omit<InterventionDeps, 'agentDirectory' | 'agentReservations' | 'conferences'>,
  caller: Caller,
  callKey: string,
): Promise<InterventionAnswer> {
  const requestId = await requestIdOf(deps, callKey);
  const event = { type: 'interventionCancelled', userId: caller.userId, at: deps.clock.now() } as const;
  const outcome = await sendToCall(deps, requestId, { event, commandId: `cancel:${deps.ids()}` });
  if (outcome.kind === 'ignored') {
    requireCancellable(callChange(outcome.state), caller);
    throw conflict('CHANGED_MEANWHILE', '人工介入申请已变化，请刷新后重试');
  }
  const intervention = interventionOf(outcome.state);
  await audit(deps, caller, {
    action: 'intervention.cancelled',
    targetType: 'call',
    targetId: requestId,
    summary: '取消人工介入申请',
    detail: { interventionId: intervention.id },
  });
  return { requestId, intervention };
}
