import { unreachable } from '#kernel/assert.ts';
import { CalloutError, invalidArgument, notFound } from '#kernel/errors.ts';
import { BoundedStream } from '#operations/feeds/bounded-stream.ts';
import { listLiveCalls } from '#operations/feeds/list-live-calls.ts';
import { liveCallChannel } from '#operations/feeds/live-call-channel.ts';
import { EVERY_CALL, type LiveCallScope, shows, viewerIdOf } from '#operations/feeds/live-call-scope.ts';
import type { LiveCallsEvent } from '#operations/feeds/live-calls-feed.ts';
import type { CampaignProgress } from '#ports/graph-store.ts';
import type { GraphContext, GraphDeps } from '../context.ts';
import { bigRowIdOf, rowIdOf } from '../row-id.ts';
import type { LiveCallFilter, Resolvers } from '../schema-types.generated.ts';

/** Events that may wait for one slow subscriber: a few seconds of a busy campaign. */
const MAX_WAITING = 256;
const RETRY_AFTER_SECONDS = 5;

export const liveCallResolvers: Resolvers = {
  Query: {
    liveCalls: (_root, { filter }, context) => listLiveCalls(context.deps, scopeOf(context, filter)),
  },
  LiveCall: { monitorAssignment: ({ monitor }) => monitor },
  Subscription: {
    liveCalls: {
      subscribe: (_root, { filter, after }, context) => liveCallStream(context.deps, scopeOf(context, filter), 'liveCalls', after ?? null),
    },
    liveCall: {
      subscribe: async (_root, { callKey, after }, context) => {
        const requestId = await requestIdOf(context.deps, callKey);
        return liveCallStream(context.deps, { ...scopeOf(context, null), requestId }, 'liveCall', after ?? null);
      },
    },
    campaignProgress: { subscribe: (_root, { campaignId }, { deps }) => progressStream(deps, rowIdOf('campaignId', campaignId)) },
  },
};

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

function liveCallStream<Field extends string>(
  { liveCallsFeed }: Pick<GraphDeps, 'liveCallsFeed'>,
  scope: LiveCallScope,
  field: Field,
  after: string | null,
): BoundedStream<Record<Field, ReturnType<typeof memberOfEvent>>> {
  const payloadOf = (event: LiveCallsEvent) =>
    ({ [field]: memberOfEvent(scope, event) }) as Record<Field, ReturnType<typeof memberOfEvent>>;
  const channel = liveCallChannel(liveCallsFeed, scope);
  const stream = new BoundedStream<Record<Field, ReturnType<typeof memberOfEvent>>>({
    limit: MAX_WAITING,
    catchUp: () => channel.catchUp().map(payloadOf),
    onEnd: () => stop(),
  });
  const stop = channel.follow(event => stream.push(payloadOf(event)));
  for (const event of channel.since(after)) stream.push(payloadOf(event));
  return stream;
}

function memberOfEvent(scope: LiveCallScope, event: LiveCallsEvent) {
  switch (event.kind) {
    case 'snapshot':
      return { ...event, __typename: 'LiveCallsSnapshot' as const };
    case 'resync':
      return { ...event, __typename: 'LiveCallsResync' as const };
    case 'segment':
      return { ...event, __typename: 'LiveCallSegment' as const };
    case 'started':
      return { ...event, __typename: 'LiveCallStarted' as const };
    case 'changed':
      return { ...event, __typename: 'LiveCallChanged' as const };
    case 'ended':
      return { ...event, __typename: 'LiveCallEnded' as const };
    case 'joined':
      return { ...event, __typename: 'LiveCallJoined' as const };
    case 'left':
      return { callKey: event.call.callKey, at: event.at, cursor: event.cursor, __typename: 'LiveCallLeft' as const };
    case 'repaired':
      return { ...event, call: event.call && shows(scope, event.call) ? event.call : null, __typename: 'LiveCallResync' as const };
    default:
      return unreachable(event);
  }
}

interface ProgressPayload {
  campaignProgress: CampaignProgress;
}

/** Only the newest counts: a slow subscriber skips what it did not draw. */
async function progressStream(
  { campaignProgressFeed, graph }: Pick<GraphDeps, 'campaignProgressFeed' | 'graph'>,
  campaignId: number,
): Promise<BoundedStream<ProgressPayload>> {
  if ((await graph.campaigns([campaignId])).length === 0) throw notFound('活动');
  let newest: CampaignProgress | null = null;
  const stream = new BoundedStream<ProgressPayload>({
    limit: 0,
    catchUp: () => (newest ? [{ campaignProgress: newest }] : []),
    onEnd: () => stop && stop(),
  });
  const stop = campaignProgressFeed.subscribe(campaignId, progress => {
    newest = progress;
    if (progress) stream.push({ campaignProgress: progress });
    else stream.end();
  });
  if (!stop) throw new CalloutError('RATE_LIMITED', '正在观看的活动过多，请稍后重试', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return stream;
}
