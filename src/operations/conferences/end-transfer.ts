import { conflict } from '#kernel/errors.ts';
import type { ConferenceDeps } from './deps.ts';
import { endSession } from './send-to-conference.ts';

export interface TransferEnding {
  customerUuid: string;
  conferenceId?: number | undefined;
}

export interface EndedTransfer {
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
export async function endTransfer(deps: ConferenceDeps, { customerUuid, conferenceId }: TransferEnding): Promise<EndedTransfer> {
  const named = conferenceId === undefined ? null : await deps.conferences.find(conferenceId);
  if (named !== null && named.customerUuid !== customerUuid) throw conflict('客户通道与会议不符');
  await deps.conferences.noteGone(customerUuid, deps.clock.now());
  const session = await deps.conferences.findByCustomer(customerUuid);
  const legs = session === null ? null : await endSession(deps, session.id, 'customerLeft');
  return {
    ended: legs !== null,
    released: (legs ?? []).map(({ softphoneCallId, agentId }) => ({ softphoneCallId, agentId })),
  };
}
