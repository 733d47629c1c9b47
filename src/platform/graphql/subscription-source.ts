import type { Channel } from '../feeds/fan-out.ts';
import type { GraphContext } from '#graph/context.ts';
import type { StreamEvent } from './state-events.ts';
import type {
  SubscriptionAgentStatusesArgs,
  SubscriptionCampaignProgressArgs,
  SubscriptionCampaignsProgressArgs,
  SubscriptionConferenceArgs,
  SubscriptionFileImportArgs,
  SubscriptionHealthArgs,
  SubscriptionIntentAlertsArgs,
  SubscriptionLiveCallArgs,
  SubscriptionLiveCallsArgs,
  SubscriptionMonitorBoardArgs,
  SubscriptionOverviewArgs,
  SubscriptionRuntimeEventsArgs,
  SubscriptionRuntimeOverviewArgs,
  SubscriptionSoftphoneSessionArgs,
} from '#graph/schema-types.generated.ts';

/** Source of a subscription field: its events are the values of the field. */
export interface SubscriptionSource {
  channel: Channel<StreamEvent>;
  /** Cursor from which the client continues. */
  after: string | null;
  /** Called when a subscriber joins; the returned function is called when its subscription ends, for whatever reason. */
  onJoin?: () => (() => void) | null;
}

type SourceOf<Args> = (args: Args, context: GraphContext) => SubscriptionSource | Promise<SubscriptionSource>;

/** One source for each field of `Subscription`, called for each subscriber that the guard admits. */
export interface SubscriptionSources {
  agentStatuses: SourceOf<SubscriptionAgentStatusesArgs>;
  campaignProgress: SourceOf<SubscriptionCampaignProgressArgs>;
  campaignsProgress: SourceOf<SubscriptionCampaignsProgressArgs>;
  conference: SourceOf<SubscriptionConferenceArgs>;
  fileImport: SourceOf<SubscriptionFileImportArgs>;
  health: SourceOf<SubscriptionHealthArgs>;
  intentAlerts: SourceOf<SubscriptionIntentAlertsArgs>;
  liveCall: SourceOf<SubscriptionLiveCallArgs>;
  liveCalls: SourceOf<SubscriptionLiveCallsArgs>;
  monitorBoard: SourceOf<SubscriptionMonitorBoardArgs>;
  overview: SourceOf<SubscriptionOverviewArgs>;
  runtimeEvents: SourceOf<SubscriptionRuntimeEventsArgs>;
  runtimeOverview: SourceOf<SubscriptionRuntimeOverviewArgs>;
  softphoneSession: SourceOf<SubscriptionSoftphoneSessionArgs>;
}
