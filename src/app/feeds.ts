import { type AgentChange, type AgentRoster, type AgentScope, agentSource, agentView } from '#agents/agent-feed.ts';
import { type LiveCallScope, scopeKey } from '#calls/live-call-scope.ts';
import { liveCallsFeed, type LiveCallsFeedPart } from '#calls/live-calls-feed.ts';
import {
  type CampaignProgress,
  campaignProgressFeed,
  type CampaignProgressFeed,
  type ProgressChange,
  readProgress,
} from '#campaigns/progress.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { conferenceSource } from '#conferences/send-to-conference.ts';
import { healthSource, type WatchedPart, type HealthPart } from '#health/health.ts';
import type { FileImport } from '#imports/file-import.ts';
import { importSource, type ImportProgressPart } from '#imports/progress.ts';
import { type IntentAlert, type IntentAlertChange, intentAlertSource } from '#monitoring/alerts.ts';
import { type MonitorBoardChange, monitorBoardSource, type MonitorBoardState } from '#monitoring/board.ts';
import { capacityFeed, type CapacityFeedPart } from '#monitoring/presence.ts';
import { type Overview, overviewSource } from '#overview/overview.ts';
import { type RuntimeNow, runtimeOverviewSource } from '#overview/runtime-overview-feed.ts';
import type { Channel } from '#platform/feeds/fan-out.ts';
import { Feed, type FeedEvent } from '#platform/feeds/feed.ts';
import { sharedDeltas, type DeltasPart } from '#platform/feeds/live-deltas.ts';
import { startRuntimeEventFeed, type RuntimeEventFeedPart } from '#runtime-events/runtime-event-feed.ts';
import {
  type SoftphoneSessionChange,
  softphoneSessionSource,
  type SoftphoneSessionState,
  type SessionStateApp,
} from '#softphones/session-feed.ts';
import type { SoftphoneApp } from '#softphones/session.ts';
import type { App } from './app.ts';
import type { ServerContext } from './context.ts';
import { composeHealth } from './health.ts';
import type { Platform } from '#platform/platform.ts';
import type { AgentsPart, AgentDirectoryPart } from '#agents/agent-directory.ts';
import type { LiveCallsPart } from '#calls/live-call-store.ts';
import type { MonitorsPart } from '#monitoring/monitor-registry.ts';
import type { RuntimeEventsPart, EventSignalsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimeOverviewApp } from '#overview/runtime-overview.ts';
import type { ConferencesPart } from '#conferences/conference-actor.ts';

/** Changes of the agent roster kept for replay. */
const HELD_AGENT_CHANGES = 4_096;

type States<State, Change> = Channel<FeedEvent<State, Change>>;

/** Streams other than live calls and runtime events: each a snapshot, then its changes. A state is read only while it has subscribers. */
export interface StateStreams {
  campaignProgress(campaignId: number): States<CampaignProgress, CampaignProgress>;
  campaignsProgress(campaignIds: readonly number[]): States<readonly CampaignProgress[], ProgressChange>;
  intentAlerts(scope: LiveCallScope): States<readonly IntentAlert[], IntentAlertChange>;
  /** Board of a user; `userId` is null when there is no user, and the board is empty. */
  monitorBoard(userId: number | null): States<MonitorBoardState, MonitorBoardChange>;
  overview(): States<Overview, Overview>;
  runtimeOverview(): States<RuntimeNow, RuntimeNow>;
  health(): States<readonly WatchedPart[], readonly WatchedPart[]>;
  agents(scope: AgentScope): States<AgentRoster, AgentChange>;
  conference(conferenceId: number): States<ConferenceSession, ConferenceSession>;
  fileImport(campaignId: number, importId: string): States<FileImport, FileImport>;
  softphoneSession(softphoneCallId: number): States<SoftphoneSessionState, SoftphoneSessionChange>;
  close(): void;
}

interface StateStreamDeps
  extends AgentsPart,
    Pick<ConferencesPart, 'conferences'>,
    ImportProgressPart,
    LiveCallsPart,
    MonitorsPart,
    LiveCallsFeedPart,
    CapacityFeedPart,
    RuntimeEventsPart,
    AgentDirectoryPart,
    DeltasPart,
    EventSignalsPart,
    RuntimeOverviewApp,
    HealthPart,
    SessionStateApp,
    RuntimeEventFeedPart,
    Pick<Platform, 'db' | 'clock' | 'ids' | 'log'> {
  liveCalls: (LiveCallsPart & MonitorsPart & LiveCallsFeedPart & CapacityFeedPart & Pick<Platform, 'clock' | 'log'>)['liveCalls'];
  liveCallsFeed: (LiveCallsPart & MonitorsPart & LiveCallsFeedPart & CapacityFeedPart & Pick<Platform, 'clock' | 'log'>)['liveCallsFeed'];
  campaignProgressFeed: Pick<CampaignProgressFeed, 'channel' | 'channelOf'>;
}

function createStateStreams(deps: StateStreamDeps): StateStreams {
  const feeds = createFeeds({ clock: deps.clock, ids: deps.ids });
  return {
    campaignProgress: id => deps.campaignProgressFeed.channel(id),
    campaignsProgress: ids => deps.campaignProgressFeed.channelOf(ids),
    intentAlerts: scope => feeds.alerts.channel(scopeKey(scope), () => intentAlertSource(deps, scope)),
    monitorBoard: userId => feeds.boards.channel(String(userId), () => monitorBoardSource(deps, userId)),
    overview: () => feeds.overview.channel('overview', () => overviewSource(deps)),
    runtimeOverview: () => feeds.runtimeOverview.channel('runtimeOverview', () => runtimeOverviewSource(deps)),
    health: () => feeds.health.channel('health', () => healthSource(deps)),
    agents: scope => feeds.agents.channel('agents', () => agentSource(deps), agentView(scope)),
    conference: id => feeds.conferences.channel(String(id), () => conferenceSource(deps, id)),
    fileImport: (campaignId, id) => feeds.imports.channel(`${campaignId}:${id}`, () => importSource(deps, campaignId, id)),
    softphoneSession: id => feeds.sessions.channel(String(id), () => softphoneSessionSource(deps, id)),
    close() {
      for (const feed of Object.values(feeds)) feed.close();
    },
  };
}

function createFeeds(deps: Pick<Platform, 'clock' | 'ids'>) {
  return {
    alerts: new Feed<readonly IntentAlert[], IntentAlertChange>(deps),
    boards: new Feed<MonitorBoardState, MonitorBoardChange>(deps),
    overview: new Feed<Overview, Overview>(deps),
    runtimeOverview: new Feed<RuntimeNow, RuntimeNow>(deps),
    health: new Feed<readonly WatchedPart[], readonly WatchedPart[]>(deps),
    agents: new Feed<AgentRoster, AgentChange>(deps, { heldChanges: HELD_AGENT_CHANGES }),
    conferences: new Feed<ConferenceSession, ConferenceSession>(deps),
    imports: new Feed<FileImport, FileImport>(deps),
    sessions: new Feed<SoftphoneSessionState, SoftphoneSessionChange>(deps),
  };
}

/** Sources of the streams of every edge. */
export type Feeds = Omit<Awaited<ReturnType<typeof composeFeeds>>, 'health'>;

/** One feed of each kind per process, for all edges; only the one of runtime events runs without subscribers. Includes the health that a feed shows. */
export async function composeFeeds(context: ServerContext, app: App, conferences: SoftphoneApp) {
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
