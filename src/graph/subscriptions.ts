import { type FileImport, importParams } from '#imports/file-import.ts';
import { findSession, isOpen, sessionParam } from '#softphones/session.ts';
import { assert } from '#kernel/assert.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { getConference } from '#conferences/find-conferences.ts';
import { auditWatch } from '#calls/audit-watch.ts';
import type { AgentChange, AgentRoster } from '#agents/agent-feed.ts';
import type { CampaignProgress, ProgressChange } from '#campaigns/progress.ts';
import type { IntentAlert, IntentAlertChange } from '#monitoring/alerts.ts';
import type { AgentMessage } from '#desk/desk.ts';
import { EVERY_CALL, NOBODY, viewerIdOf } from '#calls/live-call-scope.ts';
import type { MonitorBoardChange, MonitorBoardState } from '#monitoring/board.ts';
import type { RuntimeNow } from '#overview/runtime-overview-feed.ts';
import { auditSessionWatch, type SoftphoneSessionChange, type SoftphoneSessionState } from '#softphones/session-feed.ts';
import type { WatchedPart } from '#health/health.ts';
import type { Overview } from '#overview/overview.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { getImport } from '#imports/progress.ts';
import type { Job } from '#jobs/job.ts';
import { getJob } from '#jobs/job-store.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { parseAsParams } from './from-route.ts';
import { bigRowIdOf, optionalRowId, rowIdOf } from '#platform/graphql/row-id.ts';
import { type Member, stateChannel, type StateForm } from '#platform/graphql/subscription-source.ts';
import type { SubscriptionSources } from './subscription-sources.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';

/** Most campaigns in one subscription. */
const MAX_CAMPAIGNS = 200;

/** Sources of subscriptions that show a state and its changes. */
export const stateSources: Omit<SubscriptionSources, 'callbacks' | 'liveCall' | 'liveCalls' | 'runtimeEvents'> = {
  campaignProgress: async ({ campaignId, after }, { app }) => {
    const id = rowIdOf('campaignId', campaignId);
    await requireRow(app, CAMPAIGN_TABLE, id, '活动');
    return { channel: stateChannel(app.states.campaignProgress(id), PROGRESS), after: after ?? null };
  },
  campaignsProgress: ({ campaignIds, after }, { app }) => {
    if (campaignIds.length === 0 || campaignIds.length > MAX_CAMPAIGNS)
      throw invalidArgument('campaignIds', 'itemsBetween', { min: 1, max: MAX_CAMPAIGNS });
    const ids = campaignIds.map((id, index) => rowIdOf(`campaignIds[${index}]`, id));
    return { channel: stateChannel(app.states.campaignsProgress(ids), PROGRESSES), after: after ?? null };
  },
  intentAlerts: ({ filter, after }, { caller, app }) => {
    const scope = { ...EVERY_CALL, campaignId: optionalRowId('filter.campaignId', filter?.campaignId), viewerId: viewerIdOf(caller) };
    return { channel: stateChannel(app.states.intentAlerts(scope), ALERTS), after: after ?? null };
  },
  monitorBoard: ({ after }, { caller, app }) => {
    assert(caller, 'the guard lets nobody in without a session');
    const onJoin = () => auditWatch(app, caller, { ...EVERY_CALL, viewerId: caller.userId ?? NOBODY });
    return { channel: stateChannel(app.states.monitorBoard(caller.userId), DESK), after: after ?? null, onJoin };
  },
  myMessages: ({ after }, { caller, app }) => ({
    channel: stateChannel(app.messageFeed.channel(caller?.userId ?? null), MESSAGES),
    after: after ?? null,
  }),
  overview: ({ after }, { app }) => ({ channel: stateChannel(app.states.overview(), OVERVIEW), after: after ?? null }),
  runtimeOverview: ({ after }, { app }) => ({ channel: stateChannel(app.states.runtimeOverview(), RUNTIME), after: after ?? null }),
  health: ({ after }, { app }) => ({ channel: stateChannel(app.states.health(), HEALTH), after: after ?? null }),
  agentStatuses: ({ filter, after }, { app }) => {
    const groupId = optionalRowId('filter.groupId', filter?.groupId);
    return { channel: stateChannel(app.states.agents({ groupId }), AGENTS), after: after ?? null };
  },
  conference: async ({ id, after }, { app }) => {
    const conference = await getConference(app, rowIdOf('id', id, { of: 'Conference' }));
    return { channel: stateChannel(app.states.conference(conference.id), CONFERENCE), after: after ?? null };
  },
  fileImport: async ({ campaignId, importId, after }, { app }) => {
    const { id, importId: key } = parseAsParams({ params: importParams }, { id: campaignId, importId });
    await getImport(app, id, key);
    return { channel: stateChannel(app.states.fileImport(id, key), IMPORT), after: after ?? null };
  },
  job: async ({ id, after }, { caller, app }) => {
    assert(caller, 'the guard lets nobody in without a session');
    const found = await getJob(app, caller, bigRowIdOf('id', id, 'Job'));
    return { channel: stateChannel(app.states.job(found.id), JOB), after: after ?? null };
  },
  softphoneSession: async ({ sessionId, after }, { caller, app }) => {
    assert(caller, 'the guard lets nobody in without a session');
    const { call } = await findSession(app, caller, parseAsParams({ params: sessionParam }, { sessionId }).sessionId);
    if (!isOpen(call)) throw new CalloutError('GONE', '会话已结束');
    const onJoin = () => auditSessionWatch(app, caller, call);
    return { channel: stateChannel(app.states.softphoneSession(call.id), SOFTPHONE), after: after ?? null, onJoin };
  },
};

const PROGRESS = wholes<CampaignProgress>('progress', 'CampaignProgress');
const PROGRESSES: StateForm<readonly CampaignProgress[], ProgressChange> = {
  snapshot: progresses => ({ __typename: 'CampaignsProgressSnapshot', progresses }),
  change: ({ campaignId, progress }) =>
    progress ? { __typename: 'CampaignProgressChanged', progress } : { __typename: 'CampaignProgressLeft', campaignId },
};
const MESSAGES = wholes<readonly AgentMessage[]>('messages', 'MyMessages');
const OVERVIEW = wholes<Overview>('overview', 'Overview');
const HEALTH = wholes<readonly WatchedPart[]>('parts', 'Health');
const RUNTIME = wholes<RuntimeNow>('now', 'RuntimeOverview');
const IMPORT = wholes<FileImport>('import', 'FileImport');
const JOB = wholes<Job>('job', 'Job');
const CONFERENCE = wholes<ConferenceSession>('conference', 'Conference');

const ALERTS: StateForm<readonly IntentAlert[], IntentAlertChange> = {
  snapshot: alerts => ({ __typename: 'IntentAlertsSnapshot', alerts }),
  change: ({ kind, alert }) => ({ __typename: kind === 'raised' ? 'IntentAlertRaised' : 'IntentAlertAcknowledged', alert }),
};

const DESK: StateForm<MonitorBoardState, MonitorBoardChange> = {
  snapshot: ({ calls, capacity }) => ({ __typename: 'MonitorBoardSnapshot', calls, capacity }),
  change(change) {
    if (change.kind === 'left') return { __typename: 'MonitorBoardCallLeft', callKey: change.callKey };
    if (change.kind === 'capacity') return { __typename: 'MonitorCapacityChanged', capacity: change.capacity };
    const { kind, watched } = change;
    return { __typename: kind === 'joined' ? 'MonitorBoardCallJoined' : 'MonitorBoardCallChanged', watched };
  },
};

const AGENTS: StateForm<AgentRoster, AgentChange> = {
  snapshot: agents => ({ __typename: 'AgentStatusesSnapshot', agents }),
  change: ({ before, after }) =>
    after ? { __typename: 'AgentStatusChanged', agent: after } : { __typename: 'AgentLeft', agentId: before?.id },
};

const SOFTPHONE: StateForm<SoftphoneSessionState, SoftphoneSessionChange> = {
  snapshot: ({ session, events }) => ({ __typename: 'SoftphoneSessionSnapshot', session, events }),
  change: change =>
    change.kind === 'event'
      ? { __typename: 'SoftphoneEventRecorded', event: change.event }
      : { __typename: 'SoftphoneSessionChanged', session: change.session },
};

/** Form of a state whose changes carry the whole: `<name>Snapshot`, `<name>Changed`. */
function wholes<Whole>(field: string, name: string): StateForm<Whole, Whole> {
  const member =
    (suffix: string) =>
    (whole: Whole): Member => ({ __typename: `${name}${suffix}`, [field]: whole });
  return { snapshot: member('Snapshot'), change: member('Changed') };
}
