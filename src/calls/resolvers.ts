import { assert } from '#kernel/assert.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { callKeyParam } from '#protocol/progress.ts';
import { auditCaptionsRead, auditWatch } from './audit-watch.ts';
import { readSteps } from './call-steps.ts';
import { STEPS } from './routes.ts';
import { liveCallActions } from '#interventions/live-call-actions.ts';
import { type LiveCallList, listLiveCalls } from './list-live-calls.ts';
import { type LiveCall, MAX_SEGMENTS } from './live-call.ts';
import { EVERY_CALL, type LiveCallScope, type ScopedCallEvent, shows, viewerIdOf } from './live-call-scope.ts';
import { requestIdOf } from './find-call.ts';
import { longestSearchMs } from '#conferences/transfer.ts';
import { endsBy } from '#interventions/claim.ts';
import { presentActions } from '#graph/inputs.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import { parseAsParams } from '#graph/from-route.ts';
import { rowIdOf } from '#platform/graphql/row-id.ts';
import type { LiveCallFilter, Resolvers } from '#graph/schema-types.generated.ts';
import { stateChannel, type StateForm, type SubscriptionSource } from '#platform/graphql/subscription-source.ts';
import type { SubscriptionSources } from '#graph/subscription-sources.ts';

export const liveCallResolvers: Resolvers = {
  Query: {
    liveCalls: async (_root, { filter }, context, info) => {
      const scope = scopeOf(context, filter);
      const list = await listLiveCalls(context.app, scope);
      await auditCaptionsRead(context.app, callerOf(context, info), scope);
      return list;
    },
  },
  LiveCall: {
    monitorAssignment: ({ monitor }) => monitor,
    conference: ({ requestId }, _args, { loaders }) => loaders.conferencesOfCustomers.load(requestId),
    conferenceId: async ({ requestId }, _args, { loaders }) => (await loaders.conferencesOfCustomers.load(requestId))?.id ?? null,
    actions: async (call, _args, context, info) => {
      const { loaders, language } = context;
      const caller = callerOf(context, info);
      const [agent, conference, commands] = await Promise.all([
        caller.userId === null ? undefined : loaders.agentsOfUsers.load(caller.userId),
        loaders.conferencesOfCustomers.load(call.requestId),
        call.runtimeId === null ? [] : loaders.commandsOfRuntimes.load(call.runtimeId),
      ]);
      return presentActions(liveCallActions({ call, caller, agent, conference, commands }), { schema: info.schema, language });
    },
    segments: ({ segments }, { last }) => newestOf(segments, last),
    people: ({ people }) => [...people],
  },
  Attempt: {
    steps: (attempt, { after, limit }, { app, caller }) =>
      readSteps(app, caller, attempt, {
        after: Math.max(0, after ?? 0),
        limit: Math.max(1, Math.min(limit ?? STEPS.whenAbsent, STEPS.most)),
      }),
  },
  Intervention: {
    endsBy: (intervention, _args, { app }) => endsBy(intervention, longestSearchMs(app.conferenceSettings)),
  },
};

/** Errors: INVALID_ARGUMENT naming `last` */
function newestOf(segments: LiveCall['segments'], last: number | null | undefined): LiveCall['segments'][number][] {
  const count = last ?? MAX_SEGMENTS;
  if (count < 1 || count > MAX_SEGMENTS) throw invalidArgument('last', 'integerBetween', { min: 1, max: MAX_SEGMENTS });
  return segments.slice(-count);
}

export const liveCallSources: Pick<SubscriptionSources, 'liveCall' | 'liveCalls'> = {
  liveCalls: ({ filter, after }, context) => sourceOf(context, scopeOf(context, filter), after),
  liveCall: async ({ callKey: key, after }, context) => {
    const { callKey } = parseAsParams({ params: callKeyParam }, { callKey: key });
    const requestId = await requestIdOf(context.app, callKey);
    return sourceOf(context, { ...scopeOf(context, null), requestId }, after);
  },
};

function sourceOf({ app, caller }: GraphContext, scope: LiveCallScope, after: string | null | undefined): SubscriptionSource {
  const channel = stateChannel(app.liveCallsFeed.channel(scope), formOf(scope));
  assert(caller, 'the guard lets nobody in without a session');
  return { channel, after: after ?? null, onJoin: () => auditWatch(app, caller, scope) };
}

function scopeOf({ caller }: GraphContext, filter: LiveCallFilter | null | undefined): LiveCallScope {
  const campaignId = filter?.campaignId;
  return {
    ...EVERY_CALL,
    campaignId: campaignId === null || campaignId === undefined ? null : rowIdOf('filter.campaignId', campaignId),
    viewerId: viewerIdOf(caller),
  };
}

function formOf(scope: LiveCallScope): StateForm<LiveCallList, ScopedCallEvent> {
  return {
    snapshot: list => ({ __typename: 'LiveCallsSnapshot', ...list }),
    change(change) {
      if (change.kind === 'left') return { __typename: 'LiveCallLeft', callKey: change.call.callKey };
      if (change.kind === 'forgotten') return { __typename: 'LiveCallLeft', callKey: change.callKey };
      if (change.kind !== 'repaired') return { __typename: NAMES[change.kind], ...change };
      return { __typename: change.call && shows(scope, change.call) ? 'LiveCallResync' : 'LiveCallLeft', ...change };
    },
  };
}

const NAMES = {
  started: 'LiveCallStarted',
  changed: 'LiveCallChanged',
  segment: 'LiveCallSegment',
  ended: 'LiveCallEnded',
  joined: 'LiveCallJoined',
} as const;
