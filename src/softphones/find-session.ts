import { CalloutError, conflict, notFound } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession } from '#conferences/conference.ts';
import { OPEN_SOFTPHONE_STATUSES, type SoftphoneCall } from '#agent-calls/agent-call.ts';
import type { Caller } from '#kernel/caller.ts';
import { customerLegOf } from '#legs/leg.ts';
import type { SoftphoneSessionDeps } from './deps.ts';

/** A session of a browser phone with its conference. */
export interface SoftphoneSession {
  call: SoftphoneCall;
  conference: ConferenceSession;
  /** The customer's leg once it has been dialled. */
  customer: ConferenceLeg | undefined;
}

export function isOpen({ status }: SoftphoneCall): boolean {
  return (OPEN_SOFTPHONE_STATUSES as readonly string[]).includes(status);
}

/**
 * Requires that the caller may see the call: agents only their own, users who may dispatch any.
 *
 * Errors: FORBIDDEN
 */
export function requireOwn(caller: Caller, call: SoftphoneCall): void {
  if (caller.permissions.has('campaign:dispatch')) return;
  if (call.userId === null || call.userId !== caller.userId) throw new CalloutError('FORBIDDEN', '只能操作自己的通话');
}

/** Errors: NOT_FOUND; FORBIDDEN */
export async function findSession(deps: SoftphoneSessionDeps, caller: Caller, sessionId: string): Promise<SoftphoneSession> {
  const callId = await deps.softphoneSessions.findCall(sessionId);
  const call = callId === null ? null : await deps.softphoneCalls.find(callId);
  const conference = call?.conferenceId == null ? null : await deps.conferences.find(Number(call.conferenceId));
  if (call === null || conference === null) throw notFound('网页话机会话');
  requireOwn(caller, call);
  return { call, conference, customer: customerLegOf(conference) };
}

/** Errors: those of `findSession`; CONFLICT when the session has ended */
export async function findOpenSession(deps: SoftphoneSessionDeps, caller: Caller, sessionId: string): Promise<SoftphoneSession> {
  const session = await findSession(deps, caller, sessionId);
  if (!isOpen(session.call)) throw conflict('SESSION_ENDED', '会话已结束');
  return session;
}

/** Errors: CONFLICT while the customer is not on the line */
export function requireCustomer({ customer, conference }: SoftphoneSession): { leg: ConferenceLeg; cellId: string } {
  if (customer?.status !== 'joined' || conference.cellId === null) throw conflict('CUSTOMER_ABSENT', '客户尚未接通');
  return { leg: customer, cellId: conference.cellId };
}
