import { listSoftphoneCallsRoute, placeCallbackRoute, placeManualCallRoute, placeTransferRoute } from './softphone-calls.ts';
import { type AgentCallDirection, placeCall, type PlaceCallDeps } from './place-call.ts';
import { ownCallsOf, softphoneCallList } from './list-calls.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { type ListDeps, readPage } from '#platform/postgres/listing.ts';
import type { SoftphoneCall } from './agent-call.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

/** Calls that agents place, and the records of all agents' calls. Source: OCS 4.13 */
export function softphoneCallHandlers(deps: PlaceCallDeps & ListDeps): RestHandler[] {
  const placing = (route: typeof placeManualCallRoute, direction: AgentCallDirection) =>
    handler(route, async ({ params, body, caller }) => {
      const call = await placeCall(deps, caller, { agentId: params.id, direction, input: body });
      return { softphoneCallId: call.id, requestId: call.requestId, direction: call.direction, status: call.status };
    });
  return [
    placing(placeManualCallRoute, 'manual_call'),
    placing(placeCallbackRoute, 'callback'),
    placing(placeTransferRoute, 'transfer'),
    handler(listSoftphoneCallsRoute, async ({ query, caller }) => {
      const page = await readPage(deps, softphoneCallList, { ...keyed(query, deps.region), ...ownCallsOf(caller) });
      return { ...page, rows: page.rows.map(shown) };
    }),
  ];
}

/** Source: OCS 2.13, D12.3 */
function shown(call: SoftphoneCall) {
  const legs = call.legs.map(leg => ({ ...leg, callUuid: leg.legUuid }));
  return { ...call, softphoneCallId: call.id, callKey: `request:${call.requestId}`, legs };
}
