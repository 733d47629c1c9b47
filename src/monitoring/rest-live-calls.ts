import {
  cancelInterventionRoute,
  claimInterventionRoute,
  hangUpLiveCallRoute,
  heartbeatRoute,
  leaveMonitoringRoute,
  listLiveCallsRoute,
  releaseLiveCallRoute,
} from './live-calls.ts';
import type { AccessAuditDeps } from '#audit/access-audit.ts';
import { callKeyOf, presentIntervention, presentLiveCall } from '#calls/live-call.ts';
import { hangUpCall, type HangUpDeps } from '#calls/hang-up.ts';
import { auditCaptionsRead } from '#calls/audit-watch.ts';
import { viewModeOf } from '#calls/live-call-scope.ts';
import { listMyCalls, type ListMyCallsDeps } from './list-my-calls.ts';
import {
  cancelIntervention,
  claimIntervention,
  type InterventionAnswer,
  type InterventionDeps,
} from '#interventions/claim-intervention.ts';
import { heartbeat, type HeartbeatDeps } from './heartbeat.ts';
import { leaveMonitoring } from './leave-monitoring.ts';
import { releaseCall } from './release-call.ts';
import { assert } from '#kernel/assert.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';

/** OCS 4.12 except the stream and the runtime's reports, which stand with `calls/`. */
export function liveCallHandlers(deps: HangUpDeps & HeartbeatDeps & InterventionDeps & ListMyCallsDeps & AccessAuditDeps): RouteHandler[] {
  return [
    handler(listLiveCallsRoute, async ({ query, caller }) => {
      const { calls, scope, capacity, at } = await listMyCalls(deps, caller, query.campaignId ?? null);
      await auditCaptionsRead(deps, caller, scope);
      // A caller who sees every call may also monitor some of them.
      const own = { ...scope, viewerId: caller.userId };
      return { calls: calls.map(call => presentLiveCall(call, viewModeOf(own, call))), capacity, serverTime: at };
    }),
    handler(heartbeatRoute, async ({ body, caller }) => {
      const { expiresAt, capacity, assigned } = await heartbeat(deps, caller, { ...body, campaignId: body.campaignId ?? null });
      return { expiresAt, capacity, assigned: assigned.map(callKeyOf), waiting: capacity.waiting };
    }),
    handler(leaveMonitoringRoute, async ({ caller }) => {
      const { released } = await leaveMonitoring(deps, caller);
      return { released: released.map(callKeyOf) };
    }),
    handler(claimInterventionRoute, async ({ params, body, caller }) =>
      presentAnswer(await claimIntervention(deps, caller, params.callKey, body)),
    ),
    handler(cancelInterventionRoute, async ({ params, caller }) => presentAnswer(await cancelIntervention(deps, caller, params.callKey))),
    handler(releaseLiveCallRoute, async ({ params, caller }) => {
      const { requestId } = await releaseCall(deps, caller, params.callKey);
      return { callKey: callKeyOf(requestId) };
    }),
    handler(hangUpLiveCallRoute, async ({ params, caller }) => {
      const { requestId, hangupCause } = await hangUpCall(deps, caller, params.callKey);
      return { callKey: callKeyOf(requestId), hangupCause };
    }),
  ];
}

function presentAnswer({ requestId, intervention }: InterventionAnswer) {
  const shown = presentIntervention(intervention);
  assert(shown !== null, 'an intervention is shown as one');
  return { callKey: callKeyOf(requestId), intervention: shown };
}
