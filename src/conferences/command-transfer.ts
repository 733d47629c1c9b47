import { conflict } from '#kernel/errors.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { ConferenceDeps } from './deps.ts';
import { endSession } from './send-to-conference.ts';
import { type RoutedTransfer, routeTransfer, type TransferRequest } from './route-transfer.ts';

export type CommandTransferDeps = ConferenceDeps & AuditDeps;

/**
 * Routes a transfer and audits it; shared by all edges.
 *
 * Errors: those of `routeTransfer`; DATABASE_UNAVAILABLE
 * Source: OCS 4.15, D3.7
 */
export async function commandRoute(deps: CommandTransferDeps, caller: Caller, request: TransferRequest): Promise<RoutedTransfer> {
  const routed = await routeTransfer(deps, request);
  const { conferenceId, agent, softphoneCallId } = routed;
  await audit(deps, caller, {
    action: 'transfer.routed',
    targetType: 'conference',
    targetId: conferenceId,
    summary: `将客户转给坐席「${agent.name}」`,
    detail: { customerUuid: request.customerUuid, agentId: agent.id, softphoneCallId },
  });
  return routed;
}

/** Ends a transfer and audits it; a transfer that had ended before writes no row. Errors: those of `endTransfer`; DATABASE_UNAVAILABLE */
export async function commandEnd(deps: CommandTransferDeps, caller: Caller, ending: TransferEnding): Promise<EndedTransfer> {
  const ended = await endTransfer(deps, ending);
  if (!ended.ended) return ended;
  await audit(deps, caller, {
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
async function endTransfer(deps: ConferenceDeps, { customerUuid, conferenceId }: TransferEnding): Promise<EndedTransfer> {
  const named = conferenceId === undefined ? null : await deps.conferences.find(conferenceId);
  if (named !== null && named.customerUuid !== customerUuid) throw conflict('CUSTOMER_MISMATCH', '客户通道与会议不符');
  await deps.conferences.noteGone(customerUuid, deps.clock.now());
  const session = await deps.conferences.findByCustomer(customerUuid);
  const legs = session === null ? null : await endSession(deps, session.id, 'customerLeft');
  return {
    ended: legs !== null,
    released: (legs ?? []).map(({ softphoneCallId, agentId }) => ({ softphoneCallId, agentId })),
  };
}
