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

/** What managing users takes. */
export type UserDeps = WriteUserDeps & ChangeOwnPasswordDeps;

/** What the roster, calls of agents and monitoring take. */
export type RosterDeps = WriteAgentDeps &
  SipConfigDeps &
  PlaceCallDeps &
  HangUpDeps &
  HeartbeatDeps &
  InterventionDeps &
  ListMyCallsDeps &
  AgentGroupDeps;

/** What pages about the whole installation take. */
export type OverviewsDeps = OverviewDeps &
  RuntimeOverviewDeps & {
    events: Pick<RuntimeEventStore, 'acknowledge'>;
    media: MediaConfig;
    nlu: NluService;
  };

/** What resolvers reach: the operations' own dependencies, and what the façade reads beside them. */
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
  /** What subscriptions other than those of live calls and runtime events are fed by. */
  states: StateStreams;
  /** Business time zone. */
  timeZone: string;
  /** Of numbers without a country code. */
  region: Region;
  allowedShortCodes: readonly string[];
  people: UserDeps;
  roster: RosterDeps;
  /** Conferences, and sessions of browser phones. */
  conferences: SoftphoneSessionDeps;
  overviews: OverviewsDeps;
  health: Pick<HealthWatch, 'look'>;
  runtimeEventFeed: RuntimeEventFeed;
  /** False: everybody is the built-in admin. */
  authEnabled: boolean;
}

/** Of one's own session less is known than of a user's row. */
export type UserModel = SessionUser | User;

/** What became of one of many rows of a type. */
export interface BulkOutcome {
  typeName: string;
  databaseId: number | null;
  code: ErrorCode | null;
  reason: Reason | null;
  message: string | null;
}

/** One operation: who asks, and what was read for it already. */
export interface GraphContext {
  deps: GraphDeps;
  /** Null without a valid session. */
  caller: Caller | null;
  traceId: string;
  /** What failures are told in. */
  language: Language;
  readonly loaders: Loaders;
  /** What was read so far is not believed any more. */
  forget(): void;
}

type Asker = Pick<GraphContext, 'caller' | 'traceId' | 'language'>;

/** Loaders are made when the first row is asked for: many operations never ask for one. */
class OperationContext implements GraphContext {
  readonly deps: GraphDeps;
  readonly caller: Caller | null;
  readonly traceId: string;
  readonly language: Language;
  // Apollo copies the members of a context for each operation, which a #member would not survive.
  private loaded: Loaders | null = null;

  constructor(deps: GraphDeps, { caller, traceId, language }: Asker) {
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

export function createContext(deps: GraphDeps, asker: Asker): GraphContext {
  return new OperationContext(deps, asker);
}

/** Who asks, where the guard has let somebody through. */
export function callerOf(context: GraphContext, info: GraphQLResolveInfo): Caller {
  assert(context.caller, `${info.parentType.name}.${info.fieldName} needs a guard`);
  return context.caller;
}
