import type {
  SubscriptionAgentStatusesArgs,
  SubscriptionCallbacksArgs,
  SubscriptionCampaignProgressArgs,
  SubscriptionCampaignsProgressArgs,
  SubscriptionConferenceArgs,
  SubscriptionFileImportArgs,
  SubscriptionHealthArgs,
  SubscriptionIntentAlertsArgs,
  SubscriptionJobArgs,
  SubscriptionLiveCallArgs,
  SubscriptionLiveCallsArgs,
  SubscriptionMonitorBoardArgs,
  SubscriptionMyMessagesArgs,
  SubscriptionOverviewArgs,
  SubscriptionRuntimeEventsArgs,
  SubscriptionRuntimeOverviewArgs,
  SubscriptionSoftphoneSessionArgs,
} from './schema-types.generated.ts';
import type { SubscriptionSource } from '#platform/graphql/subscription-source.ts';
import type { GraphContext } from './context.ts';

type SourceOf<Args> = (args: Args, context: GraphContext) => SubscriptionSource | Promise<SubscriptionSource>;

/** One source for each field of `Subscription`, called for each subscriber that the guard admits. */
export interface SubscriptionSources {
  agentStatuses: SourceOf<SubscriptionAgentStatusesArgs>;
  callbacks: SourceOf<SubscriptionCallbacksArgs>;
  campaignProgress: SourceOf<SubscriptionCampaignProgressArgs>;
  campaignsProgress: SourceOf<SubscriptionCampaignsProgressArgs>;
  conference: SourceOf<SubscriptionConferenceArgs>;
  fileImport: SourceOf<SubscriptionFileImportArgs>;
  health: SourceOf<SubscriptionHealthArgs>;
  intentAlerts: SourceOf<SubscriptionIntentAlertsArgs>;
  job: SourceOf<SubscriptionJobArgs>;
  liveCall: SourceOf<SubscriptionLiveCallArgs>;
  liveCalls: SourceOf<SubscriptionLiveCallsArgs>;
  monitorBoard: SourceOf<SubscriptionMonitorBoardArgs>;
  myMessages: SourceOf<SubscriptionMyMessagesArgs>;
  overview: SourceOf<SubscriptionOverviewArgs>;
  runtimeEvents: SourceOf<SubscriptionRuntimeEventsArgs>;
  runtimeOverview: SourceOf<SubscriptionRuntimeOverviewArgs>;
  softphoneSession: SourceOf<SubscriptionSoftphoneSessionArgs>;
}
