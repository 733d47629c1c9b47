import type { Channel } from '#feeds/fan-out.ts';
import type { GraphContext } from './context.ts';
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
} from './schema-types.generated.ts';

/** What feeds a subscription field: events are the values of the field. */
export interface SubscriptionSource {
  channel: Channel<StreamEvent>;
  /** The client goes on from here. */
  after: string | null;
  /** Runs when a subscriber begins to be notified; the returned function when nothing follows, whoever ended it. */
  onJoin?: () => (() => void) | null;
}

type SourceOf<Args> = (args: Args, context: GraphContext) => SubscriptionSource | Promise<SubscriptionSource>;

/** One for each field of `Subscription`; called for each subscriber, behind the guard. */
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
