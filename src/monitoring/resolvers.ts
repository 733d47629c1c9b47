import { invalidArgument } from '#kernel/errors.ts';
import {
  cancelInterventionRoute,
  claimInterventionRoute,
  controlLiveCallRoute,
  handBackLiveCallRoute,
  hangUpLiveCallRoute,
  heartbeatRoute,
  hintLiveCallRoute,
  listenToLiveCallRoute,
  leaveMonitoringRoute,
  releaseLiveCallRoute,
  sayInLiveCallRoute,
} from './routes.ts';
import { hangUpCall } from '#calls/hang-up.ts';
import { auditCaptionsRead } from '#calls/audit-watch.ts';
import { listMyCalls } from './board.ts';
import { callKeyOf } from '#calls/live-call.ts';
import { viewerIdOf, viewModeOf } from '#calls/live-call-scope.ts';
import { liveTimeline } from '#calls/list-live-calls.ts';
import { cancelIntervention, claimIntervention } from '#interventions/claim.ts';
import { controlCall } from '#interventions/control-call.ts';
import { handBackCall } from '#interventions/hand-back.ts';
import { guideCall } from '#interventions/guide-call.ts';
import { listenToCall } from '#interventions/listen.ts';
import { heartbeat, leaveMonitoring } from './presence.ts';
import { releaseCall } from './allocation.ts';
import { callerOf } from '#graph/context.ts';
import { fromRoute, parseAsParams } from '#graph/from-route.ts';
import { rowIdOf } from '#platform/graphql/row-id.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

/** Longest reason for a hang-up, in characters. */
const MAX_REASON = 200;

const monitoringMutations: Resolvers['Mutation'] = {
  monitorHeartbeat: fromRoute(heartbeatRoute, async (app, caller, body) => {
    const beat = await heartbeat(app, caller, { ...body, campaignId: body.campaignId ?? null });
    return { ...beat, assigned: beat.assigned.map(callKeyOf) };
  }),
  leaveMonitoring: fromRoute(leaveMonitoringRoute, async (app, caller) => {
    const { released } = await leaveMonitoring(app, caller);
    return { released: released.map(callKeyOf) };
  }),
  claimIntervention: fromRoute(claimInterventionRoute, async (app, caller, key, body) =>
    keyed(await claimIntervention(app, caller, key, body)),
  ),
  cancelIntervention: fromRoute(cancelInterventionRoute, async (app, caller, key) => keyed(await cancelIntervention(app, caller, key))),
  releaseLiveCall: fromRoute(releaseLiveCallRoute, async (app, caller, key) => keyed(await releaseCall(app, caller, key))),
  hintLiveCall: fromRoute(hintLiveCallRoute, async (app, caller, key, body) =>
    keyed(await guideCall(app, caller, key, { ...body, kind: 'hint' })),
  ),
  sayInLiveCall: fromRoute(sayInLiveCallRoute, async (app, caller, key, body) =>
    keyed(await guideCall(app, caller, key, { ...body, kind: 'say' })),
  ),
  handBackLiveCall: fromRoute(handBackLiveCallRoute, async (app, caller, key, body) => keyed(await handBackCall(app, caller, key, body))),
  listenToLiveCall: fromRoute(listenToLiveCallRoute, async (app, caller, key, body) => keyed(await listenToCall(app, caller, key, body))),
  controlLiveCall: fromRoute(controlLiveCallRoute, async (app, caller, key, body) => keyed(await controlCall(app, caller, key, body))),
  hangUpLiveCall: async (_root, { callKey: key, reason }, context, info) => {
    const why = reasonOf(reason);
    const { callKey } = parseAsParams(hangUpLiveCallRoute, { callKey: key });
    return keyed(await hangUpCall(context.app, callerOf(context, info), callKey, why));
  },
};

export const monitoringResolvers: Resolvers = {
  Query: {
    monitorBoard: async (_root, { filter }, context, info) => {
      const id = filter?.campaignId;
      const campaignId = id === null || id === undefined ? null : rowIdOf('filter.campaignId', id);
      const calls = await listMyCalls(context.app, callerOf(context, info), campaignId);
      await auditCaptionsRead(context.app, callerOf(context, info), calls.scope);
      return calls;
    },
  },
  Mutation: monitoringMutations,
  LiveCall: {
    monitorViewMode: (call, _args, { caller }) => viewModeOf({ campaignId: null, requestId: null, viewerId: viewerIdOf(caller) }, call),
    timeline: async (call, _args, { loaders }) => liveTimeline(call, await loaders.timelines.load(call.attemptId)),
  },
};

/** Errors: INVALID_ARGUMENT naming `reason` */
function reasonOf(given: string | null | undefined): string {
  const reason = given?.trim() ?? '';
  if (reason.length > MAX_REASON) throw invalidArgument('reason', 'tooManyCharacters', { max: MAX_REASON });
  return reason;
}

function keyed<Answer extends { requestId: string }>({ requestId, ...answer }: Answer) {
  return { ...answer, callKey: callKeyOf(requestId) };
}
