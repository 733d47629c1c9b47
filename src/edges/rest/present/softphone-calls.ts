import type { z } from 'zod';
import type { softphoneCallRow } from '#contract/rest/softphone-calls.ts';
import type { SoftphoneCall } from '#ports/softphone-store.ts';
import { presentInstant } from './instant.ts';

/** Source: OCS 2.13, D12.3 */
export function presentSoftphoneCall(call: SoftphoneCall): z.input<typeof softphoneCallRow> {
  return {
    ...call,
    softphoneCallId: call.id,
    callKey: `request:${call.requestId}`,
    answeredAt: presentInstant(call.answeredAt),
    endedAt: presentInstant(call.endedAt),
    createdAt: presentInstant(call.createdAt),
    updatedAt: presentInstant(call.updatedAt),
    legs: call.legs.map(({ role, agentId, legUuid, status, hangupCause, ...leg }) => ({
      role,
      agentId,
      callUuid: legUuid,
      status,
      dialingAt: presentInstant(leg.dialingAt),
      answeredAt: presentInstant(leg.answeredAt),
      endedAt: presentInstant(leg.endedAt),
      hangupCause,
    })),
  };
}
