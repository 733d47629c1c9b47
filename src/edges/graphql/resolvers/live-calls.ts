import { unreachable } from '#kernel/assert.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import { BoundedStream } from '#operations/feeds/bounded-stream.ts';
import { listLiveCalls } from '#operations/feeds/list-live-calls.ts';
import type { LiveCallsEvent, LiveCallsFeed } from '#operations/feeds/live-calls-feed.ts';
import type { CampaignProgress } from '#ports/graph-store.ts';
import type { GraphDeps } from '../context.ts';
import { rowIdOf } from '../row-id.ts';
import type { LiveCallFilter, Resolvers } from '../schema-types.generated.ts';

/** Events that may wait for one slow subscriber: a few seconds of a busy campaign. */
const MAX_WAITING = 256;
const RETRY_AFTER_SECONDS = 5;

export const liveCallResolvers: Resolvers = {
  Query: {
    liveCalls: (_root, { filter }, { deps }) => listLiveCalls(deps, scopeOf(filter)),
  },
  Subscription: {
    liveCalls: { subscribe: (_root, { filter }, { deps }) => liveCallStream(deps, scopeOf(filter)) },
    campaignProgress: { subscribe: (_root, { campaignId }, { deps }) => progressStream(deps, rowIdOf('campaignId', campaignId)) },
  },
};

function scopeOf(filter: LiveCallFilter | null | undefined): number | null {
  const campaignId = filter?.campaignId;
  return campaignId === null || campaignId === undefined ? null : rowIdOf('filter.campaignId', campaignId);
}

interface LiveCallsPayload {
  liveCalls: ReturnType<typeof memberOfEvent>;
}

function liveCallStream(
  { liveCallsFeed, clock }: Pick<GraphDeps, 'liveCallsFeed' | 'clock'>,
  scope: number | null,
): BoundedStream<LiveCallsPayload> {
  const payloadOf = (event: LiveCallsEvent) => ({ liveCalls: memberOfEvent(event) });
  const stream = new BoundedStream<LiveCallsPayload>({
    limit: MAX_WAITING,
    catchUp: () => [payloadOf({ kind: 'resync', reason: 'OVERFLOW', at: clock.now() }), ...snapshotOf(liveCallsFeed, scope).map(payloadOf)],
    onEnd: () => stop(),
  });
  const stop = liveCallsFeed.subscribe(scope, event => stream.push(payloadOf(event)));
  return stream;
}

/** While the feed reads anew it has none; it tells one when it has. */
function snapshotOf(feed: LiveCallsFeed, scope: number | null): LiveCallsEvent[] {
  const snapshot = feed.snapshot(scope);
  return snapshot ? [{ kind: 'snapshot', ...snapshot }] : [];
}

function memberOfEvent(event: LiveCallsEvent) {
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
