import type { GraphQLResolveInfo } from 'graphql';
import type { MediaConfig } from '#contract/rest/media.ts';
import { assert } from '#kernel/assert.ts';
import type { ErrorCode, Reason } from '#kernel/errors.ts';
import type { User } from '#model/user.ts';
import type { SessionUser } from '#operations/access/who-am-i.ts';
import type { Caller } from '#operations/access/caller.ts';
import type { PlaceCallDeps } from '#operations/agent-calls/place-call.ts';
import type { SipConfigDeps } from '#operations/agents/sip-config.ts';
import type { WriteAgentDeps } from '#operations/agents/write-agent.ts';
import type { HangUpDeps } from '#operations/calls/hang-up-call.ts';
import type { CreateCampaignDeps } from '#operations/campaigns/create-campaign.ts';
import type { PreflightDeps } from '#operations/campaigns/preflight-campaign.ts';
import type { UpdateCampaignDeps } from '#operations/campaigns/update-campaign.ts';
import type { CancelBatchDeps } from '#dialling/cancel-batch.ts';
import type { ManualDispatchDeps } from '#dialling/dispatch-manually.ts';
import type { ListLiveCallsDeps } from '#feeds/list-live-calls.ts';
import type { ListMyCallsDeps } from '#feeds/list-my-calls.ts';
import type { LiveCallsFeed } from '#feeds/live-calls-feed.ts';
import type { RuntimeEventFeed } from '#feeds/runtime-event-feed.ts';
import type { StateStreams } from '#feeds/state-streams.ts';
import type { HealthWatch } from '#operations/health/watch-health.ts';
import type { InterventionDeps } from '#operations/interventions/claim-intervention.ts';
import type { HeartbeatDeps } from '#operations/monitoring/heartbeat.ts';
import type { NluService } from '#operations/nlu/get-capabilities.ts';
import type { OverviewDeps } from '#operations/overview/get-overview.ts';
import type { RuntimeOverviewDeps } from '#operations/overview/get-runtime-overview.ts';
import type { Region } from '#rules/dial-key.ts';
import type { ErasePersonDeps } from '#operations/people/erase-person.ts';
import type { RetryContactsDeps } from '#dialling/retry-contacts.ts';
import type { SoftphoneSessionDeps } from '#operations/softphone-sessions/deps.ts';
import type { ChangeOwnPasswordDeps } from '#operations/access/change-own-password.ts';
import type { WriteUserDeps } from '#operations/users/write-user.ts';
import type { DeleteAttemptsDeps } from '#operations/attempts/delete-attempts.ts';
import type { AccessAuditDeps } from '#operations/access/access-audit.ts';
import type { AgentGroupDeps } from '#management/agent-groups.ts';
import type { ContactStore } from '#ports/contact-store.ts';
import type { RecordingStore } from '#ports/recording-store.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { RunImportDeps } from '#operations/importing/import-queue.ts';
import type { LineGatewayDeps } from '#operations/lines/read-line-gateways.ts';
import type { PreviewFileDeps } from '#operations/importing/preview-file.ts';
import type { Language } from './language.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** Dependencies of user management. */
export type UserDeps = WriteUserDeps & ChangeOwnPasswordDeps;

/** Dependencies of agents, their calls and monitoring. */
export type RosterDeps = WriteAgentDeps &
  SipConfigDeps &
  PlaceCallDeps &
  HangUpDeps &
  HeartbeatDeps &
  InterventionDeps &
  ListMyCallsDeps &
  AgentGroupDeps;

/** Dependencies of pages about the whole installation. */
export type OverviewsDeps = OverviewDeps &
  RuntimeOverviewDeps & {
    events: Pick<RuntimeEventStore, 'acknowledge'>;
    media: MediaConfig;
    nlu: NluService;
  };

/** Dependencies of resolvers: those of the operations, and those of reads that only the façade makes. */
export interface GraphDeps
  extends CreateCampaignDeps,
    RunImportDeps,
    PreviewFileDeps,
    UpdateCampaignDeps,
    RetryContactsDeps,
    CancelBatchDeps,
    ManualDispatchDeps,
    PreflightDeps,
    ListLiveCallsDeps,
    DeleteAttemptsDeps,
    AccessAuditDeps {
  db: DeleteAttemptsDeps['db'];
  erasing: ErasePersonDeps;
  contacts: ContactStore;
  dials: UpdateCampaignDeps['dials'] & CancelBatchDeps['dials'] & ManualDispatchDeps['dials'];
  slots: PreflightDeps['slots'] & CancelBatchDeps['slots'] & ManualDispatchDeps['slots'];
  settings: ManualDispatchDeps['settings'];
  switchPort: ManualDispatchDeps['switchPort'] & PreflightDeps['switchPort'] & LineGatewayDeps['switchPort'];
  recordings: Pick<RecordingStore, 'keeps'>;
  liveCallsFeed: LiveCallsFeed;
  /** Sources of all subscriptions except live calls and runtime events. */
  states: StateStreams;
  /** Business time zone. */
  timeZone: string;
  /** Region of numbers without a country code. */
  region: Region;
  allowedShortCodes: readonly string[];
  people: UserDeps;
  roster: RosterDeps;
  /** Conferences, and sessions of browser phones. */
  conferences: SoftphoneSessionDeps;
  overviews: OverviewsDeps;
  health: Pick<HealthWatch, 'check'>;
  runtimeEventFeed: RuntimeEventFeed;
  /** False: every caller is the built-in admin. */
  authEnabled: boolean;
}

/** A user row, or the user of the caller's own session, which has fewer members. */
export type UserModel = SessionUser | User;

/** Outcome of a command for one of several rows of a type. */
export interface BulkOutcome {
  typeName: string;
  databaseId: number | null;
  code: ErrorCode | null;
  reason: Reason | null;
  message: string | null;
}

/** Context of one operation: its caller, and the rows loaded for it so far. */
export interface GraphContext {
  deps: GraphDeps;
  /** Null without a valid session. */
  caller: Caller | null;
  traceId: string;
  /** Language of failure messages. */
  language: Language;
  readonly loaders: Loaders;
  /** Discards the rows loaded so far, because they may be outdated. */
  forget(): void;
}

type Requester = Pick<GraphContext, 'caller' | 'traceId' | 'language'>;

/** Creates the loaders at their first use, because many operations load no row. */
class OperationContext implements GraphContext {
  readonly deps: GraphDeps;
  readonly caller: Caller | null;
  readonly traceId: string;
  readonly language: Language;
  // Apollo copies the members of a context for each operation, which a #member would not survive.
  private loaded: Loaders | null = null;

  constructor(deps: GraphDeps, { caller, traceId, language }: Requester) {
    this.deps = deps;
    this.caller = caller;
    this.traceId = traceId;
    this.language = language;
  }

  get loaders(): Loaders {
    return (this.loaded ??= createLoaders(this.deps));
  }

  forget(): void {
    this.loaded = null;
  }
}

export function createContext(deps: GraphDeps, requester: Requester): GraphContext {
  return new OperationContext(deps, requester);
}

/** The caller of a guarded field, which the guard has already checked. */
export function callerOf(context: GraphContext, info: GraphQLResolveInfo): Caller {
  assert(context.caller, `${info.parentType.name}.${info.fieldName} needs a guard`);
  return context.caller;
}
