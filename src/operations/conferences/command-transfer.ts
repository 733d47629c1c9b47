import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import type { ConferenceDeps } from './deps.ts';
import { type EndedTransfer, endTransfer, type TransferEnding } from './end-transfer.ts';
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
