import type { GraphQLResolveInfo } from 'graphql';
import { assert } from '#kernel/assert.ts';
import type { ErrorCode, Reason } from '#kernel/errors.ts';
import type { User } from '#users/user.ts';
import type { SessionUser } from '#users/own-account.ts';
import type { Caller } from '#kernel/caller.ts';
import type { PlaceCallDeps } from '#agent-calls/place-call.ts';
import type { SipConfigDeps } from '#agents/sip-config.ts';
import type { WriteAgentDeps } from '#agents/change-agents.ts';
import type { HangUpDeps } from '#calls/hang-up.ts';
import type { CreateCampaignDeps, UpdateCampaignDeps } from '#campaigns/change-campaigns.ts';
import type { PreflightDeps } from '#dialling/preflight.ts';
import type { CancelBatchDeps, ManualDispatchDeps } from '#dialling/dispatch-manually.ts';
import type { ListLiveCallsDeps } from '#calls/list-live-calls.ts';
import type { ListMyCallsDeps } from '#monitoring/board.ts';
import type { LiveCallsFeed } from '#calls/live-calls-feed.ts';
import type { RuntimeEventFeed } from '#runtime-events/runtime-event-feed.ts';
import type { StateStreams } from '#app/feeds.ts';
import type { HealthWatch } from '#health/health.ts';
import type { InterventionDeps } from '#interventions/claim.ts';
import type { HeartbeatDeps } from '#monitoring/presence.ts';
import type { NluService } from '#scripts/nlu-client.ts';
import type { OverviewDeps } from '#overview/overview.ts';
import type { RuntimeOverviewDeps } from '#overview/runtime-overview.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import type { ErasePersonDeps } from '#privacy/erase-person.ts';
import type { SoftphoneSessionDeps } from '#softphones/session.ts';
import type { WriteUserDeps } from '#users/change-users.ts';
import type { AccessAuditPart } from '#audit/access-audit.ts';
import type { ContactStore } from '#contacts/contact.ts';
import type { MediaConfig, RecordingStore } from '#recordings/recording.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import type { RunImportDeps } from '#imports/import-file.ts';
import type { PreviewFileDeps } from '#imports/preview.ts';
import type { Language } from '#kernel/problem.ts';
import type { OperationContext, Requester } from '#platform/graphql/context.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import type { CredentialsPart } from '#access/login-limit.ts';
import type { Platform } from '#platform/platform.ts';
import type { SwitchPort } from '#platform/freeswitch/switch.ts';
import type { AuditPart } from '#audit/audit.ts';
import type { SessionsPart } from '#access/sessions.ts';

/** Dependencies of user management. */
export type UserDeps = WriteUserDeps & AuditPart & AccessAuditPart & SessionsPart & CredentialsPart & Pick<Platform, 'db'>;

/** Dependencies of agents, their calls and monitoring. */
export type RosterDeps = WriteAgentDeps &
  SipConfigDeps &
  PlaceCallDeps &
  HangUpDeps &
  HeartbeatDeps &
  InterventionDeps &
  ListMyCallsDeps &
  AuditPart &
  Pick<Platform, 'db'>;

/** Dependencies of pages about the whole installation. */
export type OverviewsDeps = OverviewDeps &
  RuntimeOverviewDeps & {
    events: Pick<RuntimeEventStore, 'acknowledge'>;
    media: MediaConfig;
    nlu: NluService;
  };

/** Dependencies of resolvers: those of the operations, and those of reads that only the façade makes. */
export type GraphDeps = RosterDeps & OverviewsDeps & ErasePersonDeps & FacadeDeps;

interface FacadeDeps
  extends CreateCampaignDeps,
    RunImportDeps,
    PreviewFileDeps,
    UpdateCampaignDeps,
    AuditPart,
    CancelBatchDeps,
    ManualDispatchDeps,
    PreflightDeps,
    ListLiveCallsDeps,
    AccessAuditPart,
    Pick<Platform, 'db' | 'wake'> {
  db: (AuditPart & Pick<Platform, 'db'>)['db'];
  contacts: ContactStore;
  dials: UpdateCampaignDeps['dials'] & CancelBatchDeps['dials'] & ManualDispatchDeps['dials'];
  slots: PreflightDeps['slots'] & CancelBatchDeps['slots'] & ManualDispatchDeps['slots'];
  settings: ManualDispatchDeps['settings'];
  switchPort: ManualDispatchDeps['switchPort'] &
    PreflightDeps['switchPort'] &
    { switchPort: Pick<SwitchPort, 'cells' | 'gatewayStatus'> }['switchPort'];
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
  /** Conferences, and sessions of browser phones. */
  softphones: SoftphoneSessionDeps;
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
export interface GraphContext extends OperationContext {
  deps: GraphDeps;
  readonly loaders: Loaders;
}

/** Creates the loaders at their first use, because many operations load no row. */
class LoadingContext implements GraphContext {
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
  return new LoadingContext(deps, requester);
}

/** The caller of a guarded field, which the guard has already checked. */
export function callerOf(context: GraphContext, info: GraphQLResolveInfo): Caller {
  assert(context.caller, `${info.parentType.name}.${info.fieldName} needs a guard`);
  return context.caller;
}
