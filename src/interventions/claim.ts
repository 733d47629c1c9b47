import { mayClaim } from '#actors/call/context.ts';
import type { InterventionTiming } from '#actors/intervention/events.ts';
import { CLAIM_EXPIRY_MS, isOpenStatus } from '#actors/intervention/take-over.ts';
import type { AgentAvailability, ReservationRequest, AgentDirectoryPart, AgentReservationsPart } from '#agents/agent-directory.ts';
import { interventionHolder } from '#agents/agent.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { type CallMeta, type CallState, parseMeta, type CallsPart } from '#calls/call-actor.ts';
import { getCall, requestIdOf, sendToCall } from '#calls/find-call.ts';
import { callChange, type CallChange, type CallIntervention } from '#calls/publish-call.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, conflict, isCalloutError } from '#kernel/errors.ts';
import { recordHeld } from '#legs/place-leg.ts';
import { notMonitor } from '#monitoring/allocation.ts';
import type { Platform } from '#platform/platform.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { ConferencesPart } from '#conferences/conference-actor.ts';

/** State on which a claim is decided, as both the call's actor and the watchers' view of a call provide it. */
type ClaimableCall = Pick<CallChange, 'status' | 'monitor' | 'intervention'>;

interface Claimant {
  userId: number | null;
  isSupervisor: boolean;
}

/** Errors: FORBIDDEN for a call that another user watches; CONFLICT when it is not live or already claimed. Source: D9.3 */
export function requireClaimable(call: ClaimableCall, { userId, isSupervisor }: Claimant): void {
  if (!mayClaim({ watch: call }, { userId, isSupervisor })) throw notMonitor(call, '只有当前监听人、主管或管理员可以介入该通话');
  if (call.status !== 'live') throw conflict(isOver(call) ? 'CALL_ENDED' : 'NOT_ANSWERED', '通话未接通或已结束，不能介入');
  if (isOpen(call)) throw conflict('ALREADY_CLAIMED', '该通话已被申请人工介入');
}

/** `conference` is the customer's. Errors: CONFLICT when an agent already talks with the customer */
export function requireUnanswered(conference: Pick<ConferenceSession, 'status'> | null): void {
  if (conference?.status === 'live') throw conflict('ALREADY_ANSWERED', '该通话已由坐席接听，不能介入');
}

/** Errors: FORBIDDEN. Source: D9.3 */
export function requireMayNameAgent({ isSupervisor }: Pick<Claimant, 'isSupervisor'>): void {
  if (!isSupervisor) throw new CalloutError('FORBIDDEN', '只有主管或管理员可以指定其他坐席');
}

/**
 * An agent takes a call over by phone. A supervisor who names no agent needs none, but their own agent must not be on another call.
 *
 * Errors: CONFLICT when there is no agent, or it cannot take the call
 * Source: D9.3
 */
export function requireReady(agent: AgentAvailability | undefined, { isNeeded }: { isNeeded: boolean }): void {
  if (!isNeeded) {
    if (agent?.status === 'busy') throw conflict('AGENT_BUSY', '您的坐席正忙，请指定由哪位坐席接听');
    return;
  }
  if (!agent) throw conflict('AGENT_MISSING', '没有可用的坐席，不能介入');
  if (agent.registrationStatus !== 'registered') throw conflict('PHONE_UNREGISTERED', '坐席话机未注册，不能介入');
  if (agent.isListening) throw conflict('AGENT_BUSY', '坐席的话机正在旁听：先结束旁听，再介入');
  if (agent.status !== 'idle') throw conflict('AGENT_BUSY', '坐席不是空闲状态，不能介入');
}

/** Errors: FORBIDDEN for another user's claim; CONFLICT when nothing is claimed or the transfer has begun. Source: OCS 3, D9.3 */
export function requireCancellable(call: ClaimableCall, { userId }: Pick<Claimant, 'userId'>): void {
  const { status, intervention } = call;
  if (intervention !== null && intervention.initiatorId !== userId) throw new CalloutError('FORBIDDEN', '只有申请人可以取消人工介入');
  if (status !== 'live' || !isOpen(call)) throw conflict(isOver(call) ? 'CALL_ENDED' : 'NOTHING_CLAIMED', '没有可以取消的人工介入申请');
  if (intervention?.status !== 'requested') throw conflict('TRANSFER_BEGUN', '人工介入已开始转接，不能取消');
}

function isOpen({ intervention }: ClaimableCall): boolean {
  return intervention !== null && isOpenStatus(intervention.status);
}

export function isOver({ status }: Pick<ClaimableCall, 'status'>): boolean {
  return status === 'settling' || status === 'ended';
}

export type InterventionApp = CallsPart &
  OutcomesPart &
  AgentDirectoryPart &
  AgentReservationsPart &
  SlotsPart &
  Pick<ConferencesPart, 'conferences'> &
  AuditPart &
  Pick<Platform, 'db' | 'switchPort' | 'clock' | 'ids' | 'log'>;

export interface InterventionAnswer {
  requestId: string;
  intervention: CallIntervention;
}

/** When to hand over, and to which agent; only a supervisor may name an agent other than their own. */
interface ClaimRequest {
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
  app: InterventionApp,
  caller: Caller,
  callKey: string,
  { when = 'boundary', agentId }: ClaimRequest = {},
): Promise<InterventionAnswer> {
  const requestId = await requestIdOf(app, callKey);
  const { userId } = caller;
  const claim = { userId, isSupervisor: caller.permissions.has('campaign:dispatch') };
  // Most late claims end here, after a single read of the call.
  const seen = await getCall(app, requestId);
  requireClaimable(callChange(seen.state), claim);
  const [conference, own] = await Promise.all([
    app.conferences.findByCustomer(requestId),
    userId === null ? undefined : app.agentDirectory.findByUser(userId),
  ]);
  requireUnanswered(conference);
  const isOther = agentId !== undefined && agentId !== own?.agentId;
  if (isOther) requireMayNameAgent(claim);
  const agent = isOther ? await app.agentDirectory.find(agentId) : own;
  const needsAgent = agentId !== undefined || !claim.isSupervisor;
  requireReady(agent, { isNeeded: needsAgent });
  const id = app.ids();
  const reservation = reservationOf({ id, requestId, agent, meta: parseMeta(seen.meta) });
  const claimed = await recordHeld(app, {
    agent: {
      choices: reservation === null ? [] : [reservation],
      ...(needsAgent && { refusal: () => conflict('AGENT_BUSY', '坐席刚被其他通话占用，不能介入') }),
    },
    async record() {
      const event = { type: 'interventionClaimed', id, ...claim, agentId: agent?.agentId ?? null, when, at: app.clock.now() } as const;
      const outcome = await sendToCall(app, requestId, { event, commandId: `claim:${id}`, seen });
      if (outcome.kind === 'ignored') {
        requireClaimable(callChange(outcome.state), claim);
        throw conflict('CHANGED_MEANWHILE', '该通话当前不能介入');
      }
      return outcome.state;
    },
    // After any failure but a refusal the claim may have been committed, and its end then releases the agent.
    isHeld: (_hold, error) => !isRefusal(error),
  });
  if (claimed === null) throw new Error('a claim is committed or refused with an error');
  await audit(app, caller, {
    action: 'intervention.claimed',
    targetType: 'call',
    targetId: requestId,
    summary: '申请人工介入通话',
    detail: { interventionId: id, agentId: agent?.agentId ?? null, when },
  });
  return { requestId, intervention: interventionOf(claimed.row) };
}

function isRefusal(error: unknown): boolean {
  return isCalloutError(error) && ['CONFLICT', 'FORBIDDEN', 'NOT_FOUND', 'GONE'].includes(error.code);
}

interface Claimed {
  id: string;
  requestId: string;
  agent: AgentAvailability | undefined;
  meta: Pick<CallMeta, 'cellId' | 'campaignId'> | null;
}

/** Null when the agent is not free. */
function reservationOf({ id, requestId, agent, meta }: Claimed): ReservationRequest | null {
  if (agent?.status !== 'idle') return null;
  const place = meta === null ? {} : { cellId: meta.cellId, campaignId: meta.campaignId };
  return { holder: interventionHolder(id), agentId: agent.agentId, currentCall: `request:${requestId}`, ...place };
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
  app: CallsPart & OutcomesPart & AuditPart & Pick<Platform, 'db' | 'clock' | 'ids'>,
  caller: Caller,
  callKey: string,
): Promise<InterventionAnswer> {
  const requestId = await requestIdOf(app, callKey);
  const event = { type: 'interventionCancelled', userId: caller.userId, at: app.clock.now() } as const;
  const outcome = await sendToCall(app, requestId, { event, commandId: `cancel:${app.ids()}` });
  if (outcome.kind === 'ignored') {
    requireCancellable(callChange(outcome.state), caller);
    throw conflict('CHANGED_MEANWHILE', '人工介入申请已变化，请刷新后重试');
  }
  const intervention = interventionOf(outcome.state);
  await audit(app, caller, {
    action: 'intervention.cancelled',
    targetType: 'call',
    targetId: requestId,
    summary: '取消人工介入申请',
    detail: { interventionId: intervention.id },
  });
  return { requestId, intervention };
}

/**
 * Deadline of a claim, UTC ms: when it expires, or when the search for an agent ends; null once an agent talks or the claim is over.
 * Source: D9.3, D12.5
 */
export function endsBy({ status, requestedAt, consumedAt }: CallIntervention, longestSearchMs: number): number | null {
  if (status === 'requested' && requestedAt !== null) return requestedAt + CLAIM_EXPIRY_MS;
  return status === 'transferring' && consumedAt !== null ? consumedAt + longestSearchMs : null;
}
