import type { GraphQLResolveInfo } from 'graphql';
import { assert } from '#kernel/assert.ts';
import type { ErrorCode, Reason } from '#kernel/errors.ts';
import type { User } from '#users/user.ts';
import type { SessionUser } from '#users/own-account.ts';
import type { Caller } from '#kernel/caller.ts';
import type { PlaceCallApp } from '#agent-calls/place-call.ts';
import type { SipPart } from '#agents/sip-config.ts';
import type { PreflightApp } from '#dialling/preflight.ts';
import type { ManualDispatchApp } from '#dialling/dispatch-manually.ts';
import type { LiveCallsFeed } from '#calls/live-calls-feed.ts';
import type { RuntimeEventFeed } from '#runtime-events/runtime-event-feed.ts';
import type { StateStreams } from '#app/feeds.ts';
import type { HealthWatch } from '#health/health.ts';
import type { InterventionApp } from '#interventions/claim.ts';
import type { PresenceApp } from '#monitoring/presence.ts';
import type { NluService } from '#scripts/nlu-client.ts';
import type { RuntimeOverviewApp } from '#overview/runtime-overview.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import type { SoftphoneApp } from '#softphones/session.ts';
import type { AccessAuditPart } from '#audit/access-audit.ts';
import type { ContactStore, ContactsPart } from '#contacts/contact.ts';
import type { MediaConfig, RecordingStore } from '#recordings/recording.ts';
import type { RuntimeEventStore, RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { Language } from '#kernel/problem.ts';
import type { OperationContext, Requester } from '#platform/graphql/context.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import type { CredentialsPart } from '#access/login-limit.ts';
import type { Platform } from '#platform/platform.ts';
import type { SwitchPort, CellsPart } from '#platform/freeswitch/switch.ts';
import type { AuditPart } from '#audit/audit.ts';
import type { SessionsPart } from '#access/sessions.ts';
import type { AgentsPart, AgentDirectoryPart } from '#agents/agent-directory.ts';
import type { SealPart } from '#access/seal.ts';
import type { CallsPart } from '#calls/call-actor.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';
import type { LiveCallsPart } from '#calls/live-call-store.ts';
import type { MonitorsPart } from '#monitoring/monitor-registry.ts';
import type { ImportProgressPart } from '#imports/progress.ts';
import type { SheetsPart } from '#imports/read-table.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import type { CampaignsPart } from '#campaigns/campaign-actor.ts';
import type { ClaimsPart } from '#campaigns/campaign.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { DialsPart } from '#dialling/dial-store.ts';
import type { ImportQueuePart } from '#imports/import-file.ts';
import type { PrivacyPart } from '#privacy/erase-person.ts';

/** Dependencies of user management. */
export type UserDeps = AuditPart &
  SessionsPart &
  CredentialsPart &
  AccessAuditPart &
  Pick<AgentsPart, 'agents' | 'agentHost'> &
  Pick<Platform, 'db' | 'clock' | 'ids'>;

/** Dependencies of agents, their calls and monitoring. */
export type RosterDeps = AgentsPart &
  CellsPart &
  SealPart &
  AuditPart &
  SipPart &
  AccessAuditPart &
  PlaceCallApp &
  CallsPart &
  OutcomesPart &
  RuntimeEventsPart &
  PresenceApp &
  InterventionApp &
  LiveCallsPart &
  MonitorsPart &
  Pick<Platform, 'db' | 'switchPort' | 'clock' | 'ids'>;

/** Dependencies of pages about the whole installation. */
export type OverviewsDeps = RuntimeEventsPart &
  AgentDirectoryPart &
  RuntimeOverviewApp & {
    events: Pick<RuntimeEventStore, 'acknowledge'>;
    media: MediaConfig;
    nlu: NluService;
  } & Pick<Platform, 'db'>;

/** Dependencies of resolvers: those of the operations, and those of reads that only the façade makes. */
export type GraphDeps = RosterDeps & OverviewsDeps & PrivacyPart & FacadeDeps;

interface FacadeDeps
  extends CellsPart,
    ContactsPart,
    ImportQueuePart,
    ImportProgressPart,
    SheetsPart,
    CampaignsPart,
    ClaimsPart,
    Pick<DiallingPlace, 'region'>,
    AuditPart,
    ContactsPart,
    ImportQueuePart,
    ImportProgressPart,
    SheetsPart,
    CampaignsPart,
    ClaimsPart,
    SlotsPart,
    DialsPart,
    ManualDispatchApp,
    PreflightApp,
    LiveCallsPart,
    AccessAuditPart,
    Pick<DiallingPlace, 'region'>,
    Pick<Platform, 'db' | 'wake' | 'clock' | 'ids' | 'log'> {
  db: (AuditPart & Pick<Platform, 'db'>)['db'];
  contacts: ContactStore;
  dials: (CampaignsPart & ClaimsPart & SlotsPart & CellsPart & AuditPart & Pick<Platform, 'db' | 'wake' | 'ids'>)['dials'] &
    (DialsPart & SlotsPart & AuditPart)['dials'] &
    ManualDispatchApp['dials'];
  slots: PreflightApp['slots'] & (DialsPart & SlotsPart & AuditPart)['slots'] & ManualDispatchApp['slots'];
  settings: ManualDispatchApp['settings'];
  switchPort: ManualDispatchApp['switchPort'] &
    PreflightApp['switchPort'] &
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
  softphones: SoftphoneApp;
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
  app: GraphDeps;
  readonly loaders: Loaders;
}

/** Creates the loaders at their first use, because many operations load no row. */
class LoadingContext implements GraphContext {
  readonly app: GraphDeps;
  readonly caller: Caller | null;
  readonly traceId: string;
  readonly language: Language;
  // Apollo copies the members of a context for each operation, which a #member would not survive.
  private loaded: Loaders | null = null;

  constructor(app: GraphDeps, { caller, traceId, language }: Requester) {
    this.app = app;
    this.caller = caller;
    this.traceId = traceId;
    this.language = language;
  }

  get loaders(): Loaders {
    return (this.loaded ??= createLoaders(this.app));
  }

  forget(): void {
    this.loaded = null;
  }
}

export function createContext(app: GraphDeps, requester: Requester): GraphContext {
  return new LoadingContext(app, requester);
}

/** The caller of a guarded field, which the guard has already checked. */
export function callerOf(context: GraphContext, info: GraphQLResolveInfo): Caller {
  assert(context.caller, `${info.parentType.name}.${info.fieldName} needs a guard`);
  return context.caller;
}
