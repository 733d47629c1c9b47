import { assert, unreachable } from '#kernel/assert.ts';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import { auditCaptionsRead, auditWatch } from '#feeds/audit-watch.ts';
import { mapChannel } from '#feeds/fan-out.ts';
import { listLiveCalls } from '#feeds/list-live-calls.ts';
import { liveCallChannel } from '#feeds/live-call-channel.ts';
import { EVERY_CALL, type LiveCallScope, shows, viewerIdOf } from '#feeds/live-call-scope.ts';
import type { LiveCallsEvent } from '#feeds/live-calls-feed.ts';
import { callerOf, type GraphContext, type GraphDeps } from '../context.ts';
import { bigRowIdOf, rowIdOf } from '../row-id.ts';
import type { LiveCallFilter, Resolvers } from '../schema-types.generated.ts';
import type { SubscriptionSource, SubscriptionSources } from '../subscription-source.ts';

export const liveCallResolvers: Resolvers = {
  Query: {
    liveCalls: async (_root, { filter }, context, info) => {
      const scope = scopeOf(context, filter);
      const list = await listLiveCalls(context.deps, scope);
      await auditCaptionsRead(context.deps, callerOf(context, info), scope);
      return list;
    },
  },
  LiveCall: { monitorAssignment: ({ monitor }) => monitor },
};

export const liveCallSources: Pick<SubscriptionSources, 'liveCall' | 'liveCalls'> = {
  liveCalls: ({ filter, after }, context) => sourceOf(context, scopeOf(context, filter), after),
  liveCall: async ({ callKey, after }, context) => {
    const requestId = await requestIdOf(context.deps, callKey);
    return sourceOf(context, { ...scopeOf(context, null), requestId }, after);
  },
};

function sourceOf({ deps, caller }: GraphContext, scope: LiveCallScope, after: string | null | undefined): SubscriptionSource {
  const channel = mapChannel(liveCallChannel(deps.liveCallsFeed, scope), event => memberOfEvent(scope, event));
  assert(caller, 'the guard lets nobody in without a session');
  return { channel, after: after ?? null, onJoin: () => auditWatch(deps, caller, scope) };
}

function scopeOf({ caller }: GraphContext, filter: LiveCallFilter | null | undefined): LiveCallScope {
  const campaignId = filter?.campaignId;
  return {
    ...EVERY_CALL,
    campaignId: campaignId === null || campaignId === undefined ? null : rowIdOf('filter.campaignId', campaignId),
    viewerId: viewerIdOf(caller),
  };
}

/** Source: OCS 2.13 */
async function requestIdOf({ attempts }: Pick<GraphDeps, 'attempts'>, callKey: string): Promise<string> {
  const [kind, id = ''] = callKey.split(':');
  if (kind === 'request' && id !== '') return id;
  if (kind !== 'attempt') throw invalidArgument('callKey', '必须是 request:<requestId> 或 attempt:<attemptId>');
  const attempt = await attempts.find(bigRowIdOf('callKey', id));
  if (!attempt) throw notFound('通话');
  return attempt.requestId;
}

function memberOfEvent(scope: LiveCallScope, event: LiveCallsEvent) {
  switch (event.kind) {
    case 'snapshot':
      return { ...event, __typename: 'LiveCallsSnapshot' };
    case 'resync':
      return { ...event, __typename: 'LiveCallsResync' };
    case 'segment':
      return { ...event, __typename: 'LiveCallSegment' };
    case 'started':
      return { ...event, __typename: 'LiveCallStarted' };
    case 'changed':
      return { ...event, __typename: 'LiveCallChanged' };
    case 'ended':
      return { ...event, __typename: 'LiveCallEnded' };
    case 'joined':
      return { ...event, __typename: 'LiveCallJoined' };
    case 'left':
      return { callKey: event.call.callKey, at: event.at, cursor: event.cursor, __typename: 'LiveCallLeft' };
    case 'repaired':
      return { ...event, __typename: event.call && shows(scope, event.call) ? 'LiveCallResync' : 'LiveCallLeft' };
    default:
      return unreachable(event);
  }
}
