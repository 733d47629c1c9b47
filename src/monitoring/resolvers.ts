import type { GraphQLResolveInfo } from 'graphql';
import { invalidArgument } from '#kernel/errors.ts';
import { claimInterventionRoute, heartbeatRoute } from './routes.ts';
import { hangUpCall } from '#calls/hang-up.ts';
import { auditCaptionsRead } from '#calls/audit-watch.ts';
import { listMyCalls } from './board.ts';
import { callKeyOf } from '#calls/live-call.ts';
import { viewerIdOf, viewModeOf } from '#calls/live-call-scope.ts';
import { liveTimeline } from '#calls/list-live-calls.ts';
import { cancelIntervention, claimIntervention, type InterventionAnswer } from '#interventions/claim.ts';
import { heartbeat, leaveMonitoring } from './presence.ts';
import { releaseCall } from './allocation.ts';
import type { Caller } from '#kernel/caller.ts';
import { callerOf, type RosterDeps, type GraphContext } from '#graph/context.ts';
import { parseAsBody, parseAsParams } from '#platform/graphql/from-route.ts';
import { optionalRowIds, rowIdOf } from '#platform/graphql/row-id.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

/** Longest reason for a hang-up, in characters. */
const MAX_REASON = 200;

const monitoringMutations: Resolvers['Mutation'] = {
  monitorHeartbeat: async (_root, { campaignId, tabId }, context, info) => {
    const page = parseAsBody(heartbeatRoute, { ...optionalRowIds({ campaignId }), tabId: tabId ?? undefined });
    const beat = await heartbeat(context.deps, callerOf(context, info), { ...page, campaignId: page.campaignId ?? null });
    return { ...beat, assigned: beat.assigned.map(callKeyOf) };
  },
  leaveMonitoring: async (_root, _args, context, info) => {
    const { released } = await leaveMonitoring(context.deps, callerOf(context, info));
    return { released: released.map(callKeyOf) };
  },
  claimIntervention: (_root, { callKey, when, agentId }, context, info) => {
    const request = parseAsBody(claimInterventionRoute, {
      when: when ?? undefined,
      agentId: optionalRowIds({ agentId }).agentId ?? undefined,
    });
    const claim = (deps: RosterDeps, caller: Caller, key: string) => claimIntervention(deps, caller, key, request);
    return onCall(context, info, callKey, claim).then(changeOf);
  },
  cancelIntervention: (_root, { callKey }, context, info) => onCall(context, info, callKey, cancelIntervention).then(changeOf),
  releaseLiveCall: (_root, { callKey }, context, info) => onCall(context, info, callKey, releaseCall).then(keyed),
  hangUpLiveCall: (_root, { callKey, reason }, context, info) => {
    const why = reasonOf(reason);
    return onCall(context, info, callKey, (deps, caller, key) => hangUpCall(deps, caller, key, why)).then(keyed);
  },
};

export const monitoringResolvers: Resolvers = {
  Query: {
    monitorBoard: async (_root, { filter }, context, info) => {
      const id = filter?.campaignId;
      const campaignId = id === null || id === undefined ? null : rowIdOf('filter.campaignId', id);
      const calls = await listMyCalls(context.deps, callerOf(context, info), campaignId);
      await auditCaptionsRead(context.deps, callerOf(context, info), calls.scope);
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

/** Runs an operation on the call that the key identifies. Errors: INVALID_ARGUMENT for an invalid key */
async function onCall<Result>(
  context: GraphContext,
  info: GraphQLResolveInfo,
  key: string,
  operation: (deps: RosterDeps, caller: Caller, callKey: string) => Promise<Result>,
): Promise<Result> {
  const { callKey } = parseAsParams(claimInterventionRoute, { callKey: key });
  return operation(context.deps, callerOf(context, info), callKey);
}

function changeOf({ requestId, intervention }: InterventionAnswer) {
  return { callKey: callKeyOf(requestId), intervention };
}

function keyed<Answer extends { requestId: string }>({ requestId, ...answer }: Answer) {
  return { ...answer, callKey: callKeyOf(requestId) };
}
