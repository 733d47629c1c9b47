import { conflict } from '#kernel/errors.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import type { ConferenceDeps } from './deps.ts';
import { endSession } from './send-to-conference.ts';
import { type RoutedTransfer, routeTransfer, type TransferRequest } from './route-transfer.ts';

export type CommandTransferDeps = ConferenceDeps & AuditDeps;

/**
 * A hand-over that somebody asks for, whatever the edge.
 *
 * Errors: as `routeTransfer`; DATABASE_UNAVAILABLE
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

/** As `endTransfer`; what was over before leaves no row. Errors: as `endTransfer`; DATABASE_UNAVAILABLE */
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
 * Closes a customer's conference after the customer has hung up, as often as it is asked.
 *
 * Why:    an end that comes before its route has returned must not be lost: the route finds the customer gone and gives its agent back
 * Errors: CONFLICT when the conference is another customer's
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
