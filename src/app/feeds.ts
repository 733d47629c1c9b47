import { type AgentChange, type AgentRoster, type AgentScope, agentSource, agentView } from '#agents/agent-feed.ts';
import { type Calendar, calendarKey, type CalendarScope, calendarSource } from '#callbacks/watch-calendar.ts';
import { type LiveCallScope, scopeKey } from '#calls/live-call-scope.ts';
import { liveCallsFeed, type LiveCallsFeedPart } from '#calls/live-calls-feed.ts';
import {
  type CampaignProgress,
  campaignProgressFeed,
  type ProgressChange,
  readProgress,
  type CampaignProgressPart,
} from '#campaigns/progress.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { conferenceSource } from '#conferences/find-conferences.ts';
import { createMessageFeed } from '#desk/message-feed.ts';
import { healthSource, type WatchedPart, type HealthPart } from '#health/health.ts';
import type { FileImport } from '#imports/file-import.ts';
import { importSource, type ImportProgressPart } from '#imports/progress.ts';
import type { Job } from '#jobs/job.ts';
import { jobSource } from '#jobs/watch-job.ts';
import { type IntentAlert, type IntentAlertChange, intentAlertSource } from '#monitoring/alerts.ts';
import { type MonitorBoardChange, monitorBoardSource, type MonitorBoardState } from '#monitoring/board.ts';
import { capacityFeed, type CapacityFeedPart } from '#monitoring/presence.ts';
import { type Overview, overviewSource } from '#overview/overview.ts';
import { type RuntimeNow, runtimeOverviewSource } from '#overview/runtime-overview-feed.ts';
import type { Channel } from '#platform/feeds/fan-out.ts';
import { Feed, type FeedEvent } from '#platform/feeds/feed.ts';
import type { DeltasPart } from '#platform/feeds/live-deltas.ts';
import { startRuntimeEventFeed, type RuntimeEventFeedPart } from '#runtime-events/runtime-event-feed.ts';
import {
  type SoftphoneSessionChange,
  softphoneSessionSource,
  type SoftphoneSessionState,
  type SessionStateApp,
} from '#softphones/session-feed.ts';
import type { ServerContext } from './context.ts';
import { composeHealth } from './health.ts';
import type { Platform } from '#platform/platform.ts';
import type { AgentsPart, AgentDirectoryPart } from '#agents/agent-directory.ts';
import type { LiveCallsPart } from '#calls/live-call-store.ts';
import type { MonitorsPart } from '#monitoring/monitor-registry.ts';
import type { EventSignalsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimeOverviewApp } from '#overview/runtime-overview.ts';
import type { NluPart } from '#scripts/nlu-client.ts';

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
  callbacks(scope: CalendarScope): States<Calendar, Calendar>;
  conference(conferenceId: number): States<ConferenceSession, ConferenceSession>;
  fileImport(campaignId: number, importId: string): States<FileImport, FileImport>;
  job(jobId: number): States<Job, Job>;
  softphoneSession(softphoneCallId: number): States<SoftphoneSessionState, SoftphoneSessionChange>;
  close(): void;
}

export interface StatesPart {
  states: StateStreams;
}

/** The parts that feeds read. */
type FeedApp = AgentsPart &
  AgentDirectoryPart &
  DeltasPart &
  EventSignalsPart &
  ImportProgressPart &
  LiveCallsPart &
  MonitorsPart &
  NluPart &
  RuntimeOverviewApp &
  SessionStateApp &
  Pick<Platform, 'db' | 'switchPort' | 'clock' | 'ids' | 'log'>;

type StateApp = FeedApp & LiveCallsFeedPart & CapacityFeedPart & CampaignProgressPart & RuntimeEventFeedPart & HealthPart;

function createStateStreams(app: StateApp): StateStreams {
  const feeds = createFeeds({ clock: app.clock, ids: app.ids });
  return {
    campaignProgress: id => app.campaignProgressFeed.channel(id),
    campaignsProgress: ids => app.campaignProgressFeed.channelOf(ids),
    intentAlerts: scope => feeds.alerts.channel(scopeKey(scope), () => intentAlertSource(app, scope)),
    monitorBoard: userId => feeds.boards.channel(String(userId), () => monitorBoardSource(app, userId)),
    overview: () => feeds.overview.channel('overview', () => overviewSource(app)),
    runtimeOverview: () => feeds.runtimeOverview.channel('runtimeOverview', () => runtimeOverviewSource(app)),
    health: () => feeds.health.channel('health', () => healthSource(app)),
    agents: scope => feeds.agents.channel('agents', () => agentSource(app), agentView(scope)),
    callbacks: scope => feeds.callbacks.channel(calendarKey(scope), () => calendarSource(app, scope)),
    conference: id => feeds.conferences.channel(String(id), () => conferenceSource(app, id)),
    fileImport: (campaignId, id) => feeds.imports.channel(`${campaignId}:${id}`, () => importSource(app, campaignId, id)),
    job: id => feeds.jobs.channel(String(id), () => jobSource(app, id)),
    softphoneSession: id => feeds.sessions.channel(String(id), () => softphoneSessionSource(app, id)),
    close() {
      for (const feed of Object.values(feeds)) feed.close();
    },
  };
}

function createFeeds(options: Pick<Platform, 'clock' | 'ids'>) {
  return {
    alerts: new Feed<readonly IntentAlert[], IntentAlertChange>(options),
    boards: new Feed<MonitorBoardState, MonitorBoardChange>(options),
    overview: new Feed<Overview, Overview>(options),
    runtimeOverview: new Feed<RuntimeNow, RuntimeNow>(options),
    health: new Feed<readonly WatchedPart[], readonly WatchedPart[]>(options),
    agents: new Feed<AgentRoster, AgentChange>(options, { heldChanges: HELD_AGENT_CHANGES }),
    callbacks: new Feed<Calendar, Calendar>(options),
    conferences: new Feed<ConferenceSession, ConferenceSession>(options),
    imports: new Feed<FileImport, FileImport>(options),
    jobs: new Feed<Job, Job>(options),
    sessions: new Feed<SoftphoneSessionState, SoftphoneSessionChange>(options),
  };
}

/** One feed of each kind per process, for all edges; only the one of runtime events runs without subscribers. */
export async function composeFeeds(context: ServerContext, app: FeedApp) {
  const { bus, redis: cache, stack } = context;
  const live = liveCallsFeed({ ...app, bus, cache });
  const feeds = {
    liveCallsFeed: live,
    capacityFeed: capacityFeed(app),
    messageFeed: createMessageFeed(app),
    campaignProgressFeed: campaignProgressFeed({ ...app, readProgress: campaignIds => readProgress(app, campaignIds) }),
    runtimeEventFeed: await startRuntimeEventFeed({ ...app, signals: app.eventSignals }),
  };
  const { check, watch: health } = composeHealth(context, app, live);
  const states = createStateStreams({ ...app, ...feeds, health });
  stack.defer(() => {
    states.close();
    for (const feed of Object.values(feeds)) feed.close();
  });
  return { ...feeds, states, health, checkHealth: check };
}
