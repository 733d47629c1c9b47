import type { ConferenceSession } from '#ports/conference-store.ts';
import type { CampaignProgress } from '#ports/graph-store.ts';
import type { Overview } from '#operations/overview/get-overview.ts';
import { agentChannel, type AgentChange, type AgentRoster, type AgentScope, type AgentStatesDeps } from './agent-states.ts';
import type { CampaignProgressFeed } from './campaign-progress-feed.ts';
import { campaignProgressSource } from './campaign-progress-source.ts';
import { conferenceSource, type ConferenceStateDeps } from './conference-state.ts';
import type { Channel } from './fan-out.ts';
import { type IntentAlert, type IntentAlertChange, type IntentAlertDeps, intentAlertSource } from './intent-alert-state.ts';
import { type LiveCallScope, scopeKey } from './live-call-scope.ts';
import { type MonitorDeskChange, type MonitorDeskDeps, monitorDeskSource, type MonitorDeskState } from './monitor-desk-state.ts';
import { overviewSource, type OverviewStateDeps } from './overview-state.ts';
import {
  type SoftphoneSessionChange,
  softphoneSessionSource,
  type SoftphoneSessionState,
  type SoftphoneSessionStateDeps,
} from './softphone-session-state.ts';
import { type StateEvent, StateFeed, type StateFeedDeps } from './state-feed.ts';

/** Changes of all agents together that can be told again. */
const HELD_AGENT_CHANGES = 4_096;

type States<State, Change> = Channel<StateEvent<State, Change>>;

/** What can be watched beside live calls and runtime events: each a snapshot, then its changes. Nothing is read while nobody watches. */
export interface StateStreams {
  campaignProgress(campaignId: number): States<CampaignProgress, CampaignProgress>;
  intentAlerts(scope: LiveCallScope): States<readonly IntentAlert[], IntentAlertChange>;
  /** Null: there is no user, and so nothing on the desk. */
  monitorDesk(userId: number | null): States<MonitorDeskState, MonitorDeskChange>;
  overview(): States<Overview, Overview>;
  agents(scope: AgentScope): States<AgentRoster, AgentChange>;
  conference(conferenceId: number): States<ConferenceSession, ConferenceSession>;
  softphoneSession(softphoneCallId: number): States<SoftphoneSessionState, SoftphoneSessionChange>;
  close(): void;
}

export interface StateStreamDeps
  extends StateFeedDeps,
    AgentStatesDeps,
    ConferenceStateDeps,
    MonitorDeskDeps,
    OverviewStateDeps,
    SoftphoneSessionStateDeps,
    IntentAlertDeps {
  liveCalls: MonitorDeskDeps['liveCalls'];
  conferences: ConferenceStateDeps['conferences'];
  campaignProgressFeed: Pick<CampaignProgressFeed, 'subscribe'>;
}

export function createStateStreams(deps: StateStreamDeps): StateStreams {
  const feeds = createFeeds({ clock: deps.clock, ids: deps.ids });
  return {
    campaignProgress: id => feeds.progress.channel(String(id), () => campaignProgressSource(deps.campaignProgressFeed, id)),
    intentAlerts: scope => feeds.alerts.channel(scopeKey(scope), () => intentAlertSource(deps, scope)),
    monitorDesk: userId => feeds.desks.channel(String(userId), () => monitorDeskSource(deps, userId)),
    overview: () => feeds.overview.channel('overview', () => overviewSource(deps)),
    agents: scope => agentChannel(feeds.agents, deps, scope),
    conference: id => feeds.conferences.channel(String(id), () => conferenceSource(deps, id)),
    softphoneSession: id => feeds.sessions.channel(String(id), () => softphoneSessionSource(deps, id)),
    close() {
      for (const feed of Object.values(feeds)) feed.close();
    },
  };
}

function createFeeds(deps: StateFeedDeps) {
  return {
    progress: new StateFeed<CampaignProgress, CampaignProgress>(deps),
    alerts: new StateFeed<readonly IntentAlert[], IntentAlertChange>(deps),
    desks: new StateFeed<MonitorDeskState, MonitorDeskChange>(deps),
    overview: new StateFeed<Overview, Overview>(deps),
    agents: new StateFeed<AgentRoster, AgentChange>({ ...deps, heldChanges: HELD_AGENT_CHANGES }),
    conferences: new StateFeed<ConferenceSession, ConferenceSession>(deps),
    sessions: new StateFeed<SoftphoneSessionState, SoftphoneSessionChange>(deps),
  };
}
