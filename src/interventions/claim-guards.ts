import { mayClaim } from '#actors/call/context.ts';
import { isOpenStatus } from '#actors/intervention/take-over.ts';
import { CalloutError, conflict } from '#kernel/errors.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import type { AgentAvailability } from '#agents/agent-directory.ts';
import type { CallChange } from '#calls/publish-call.ts';
import { notMonitor } from '#monitoring/allocation.ts';

/** State on which a claim is decided, as both the call's actor and the watchers' view of a call provide it. */
export type ClaimableCall = Pick<CallChange, 'status' | 'monitor' | 'intervention'>;

export interface Claimant {
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

function isOver({ status }: Pick<ClaimableCall, 'status'>): boolean {
  return status === 'settling' || status === 'ended';
}
