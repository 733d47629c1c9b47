import { campaignProgressFeed, readProgress } from '#campaigns/progress.ts';
import { capacityFeed } from '#monitoring/presence.ts';
import { liveCallsFeed } from '#calls/live-calls-feed.ts';
import { startRuntimeEventFeed } from '#runtime-events/runtime-event-feed.ts';
import { createStateStreams } from './state-streams.ts';
import { sharedDeltas } from '#platform/feeds/live-deltas.ts';
import type { SoftphoneSessionDeps } from '#softphones/session.ts';
import { composeHealth } from './health.ts';
import type { ServerContext } from './context.ts';
import type { App } from './app.ts';

/** Sources of the streams of every edge. */
export type Feeds = Omit<Awaited<ReturnType<typeof composeFeeds>>, 'health'>;

/** One feed of each kind per process, for all edges; only the one of runtime events runs without subscribers. Includes the health that a feed shows. */
export async function composeFeeds(context: ServerContext, app: App, conferences: SoftphoneSessionDeps) {
  const { bus, redis, clock, ids, log, stack } = context;
  const deltas = sharedDeltas(app.calls.deltas);
  const live = liveCallsFeed({ deltas, liveCalls: app.calls.liveCalls, bus, cache: redis, clock, ids, log });
  const capacity = capacityFeed({ monitors: app.calls.monitors, clock, ids, log });
  const progress = campaignProgressFeed({ readProgress: campaignIds => readProgress(app.ground, campaignIds), deltas, clock, ids, log });
  const runtimeEvents = await startRuntimeEventFeed({ ...app.ground, ...app.events });
  const feeds = { liveCallsFeed: live, capacityFeed: capacity, campaignProgressFeed: progress, runtimeEventFeed: runtimeEvents };
  const health = composeHealth(context, app, live);
  const states = createStateStreams({
    ...conferences,
    ...app.ground,
    ...app.calls,
    ...app.contacts,
    ...app.agents,
    ...app.events,
    ...app.dialling,
    ...feeds,
    health: health.watch,
    deltas,
  });
  stack.defer(() => {
    states.close();
    live.close();
    capacity.close();
    progress.close();
    runtimeEvents.close();
  });
  return { ...feeds, states, health };
}
