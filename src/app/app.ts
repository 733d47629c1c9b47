import { createSeal, type SealPart } from '#access/seal.ts';
import { callTargets, softphoneRepository } from '#agent-calls/agent-call-store.ts';
import { conferenceRepository } from '#conferences/conference-store.ts';
import type { ConferenceStore } from '#conferences/conference.ts';
import { contactRepository } from '#contacts/contact-store.ts';
import { createImportQueue, type ImportQueuePart } from '#imports/import-file.ts';
import { redisImportProgress, type ImportProgressPart } from '#imports/progress.ts';
import { ActorRouter } from '#platform/actor-host/actor-router.ts';
import type { Config } from '#platform/config/shape.ts';
import { fileStoreOf } from '#platform/files/open-store.ts';
import type { FileStorePart } from '#platform/files/file-store.ts';
import type { ServerKey } from '#platform/redis/server-key.ts';
import type { ShownNumbersPart } from '#phone-numbers/shown-number.ts';
import { objectSigner } from '#platform/files/sign-object.ts';
import { readWorkbook } from '#platform/files/read-workbook.ts';
import { connectSwitch } from '#platform/freeswitch/freeswitch.ts';
import type { SwitchMetrics } from '#platform/freeswitch/switch-cell.ts';
import type { Metrics } from '#platform/metrics.ts';
import { natsActorCarrier, type ActorMessageOptions } from '#platform/nats/actor-carrier.ts';
import { natsWakes } from '#platform/nats/signals.ts';
import { redisServerKey } from '#platform/redis/server-key.ts';
import type { Freed } from '#policies/holds.ts';
import { redisHeldTexts } from '#privacy/held-texts.ts';
import { personRows } from '#privacy/person-rows.ts';
import { policyNumbers } from '#privacy/policy-numbers.ts';
import { hasCampaignLimits, sliceRemover } from '#privacy/remove-slice.ts';
import { recordingStore } from '#recordings/recording-store.ts';
import { publishRejections, type RejectionsPart } from '#runtime-events/rejections.ts';
import { natsRuntimeEventSignals } from '#runtime-events/runtime-event-signals.ts';
import { runtimeEventRepository, type RuntimeEventsPart, type EventSignalsPart } from '#runtime-events/runtime-event-store.ts';
import { askBeforeDials } from '#pre-dial/ask-before-dials.ts';
import type { PreDialPart } from '#pre-dial/pre-dial.ts';
import type { WebhooksPart } from '#webhooks/deliver.ts';
import type { WebhookSettings } from '#webhooks/run-webhooks.ts';
import { mailSender } from '#platform/outside/mail.ts';
import { outsideHttp } from '#platform/outside/outside-http.ts';
import type { OutsideRules } from '#platform/outside/guarded-lookup.ts';
import { nluService, type NluPart } from '#scripts/nlu-client.ts';
import { createAgentCallEngine, createAgentEngine } from './agent-engines.ts';
import { createEngine } from './call-engine.ts';
import { conferenceParts, createConferenceActors } from './conference-engine.ts';
import type { ServerContext } from './context.ts';
import { openReports, upkeepConnection } from './databases.ts';
import { composeFeeds, type StatesPart } from './feeds.ts';
import { cellMedia, dispatchSettings, mediaOf, recordingPlaces, retentionLimits } from './settings.ts';
import type { Platform } from '#platform/platform.ts';
import type { Place } from '#dialling/decisions/assess.ts';
import type { BusGate } from '#platform/nats/requests.ts';
import type { AuditPart } from '#audit/audit.ts';
import type { AccessAuditPart } from '#audit/access-audit.ts';
import type { SessionsPart } from '#access/sessions.ts';
import type { CredentialsPart } from '#access/login-limit.ts';
import type { AttemptWriterPart } from '#outcomes/progress.ts';
import type { RuntimeEventFeedPart } from '#runtime-events/runtime-event-feed.ts';
import type { RuntimePart } from '#runtimes/runtime-link.ts';
import type { RuntimePoolPart } from '#runtimes/runtime-pool.ts';
import type { RuntimeSettingsPart } from '#runtimes/decisions/runtime-care.ts';
import type { UnregisteredRuntimesPart } from '#runtimes/watch-runtimes.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { CampaignsPart } from '#campaigns/campaign-actor.ts';
import type { CampaignProgressPart } from '#campaigns/progress.ts';
import type { ClaimsPart } from '#campaigns/campaign.ts';
import type { ContactsPart } from '#contacts/contact.ts';
import type { SheetsPart } from '#imports/read-table.ts';
import { filePuller, type PullPart } from '#lists/pull-file.ts';
import type { ImportLimits } from '#lists/list-file.ts';
import type { RecordingsPart, MediaPart } from '#recordings/recording.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';
import type { AgentStatesPart } from '#agents/agent-states.ts';
import type { AgentsPart, AgentDirectoryPart, AgentReservationsPart } from '#agents/agent-directory.ts';
import type { SipPart } from '#agents/sip-config.ts';
import type { CellsPart, PhonesPart, RoomsPart } from '#platform/freeswitch/switch.ts';
import type { CallsPart } from '#calls/call-actor.ts';
import type { DialNotesPart } from '#calls/switch-events.ts';
import type { DeltasPart } from '#platform/feeds/live-deltas.ts';
import type { LiveCallsPart } from '#calls/live-call-store.ts';
import type { CallJournalsPart } from '#calls/call-journals.ts';
import type { LiveCallsFeedPart } from '#calls/live-calls-feed.ts';
import type { DialsPart } from '#dialling/dial-store.ts';
import type { DispatchPart } from '#dialling/settings.ts';
import type { PacingPart } from '#dialling/send.ts';
import type { WithdrawalsPart } from '#dialling/claim.ts';
import type { LeftOutPart } from '#dialling/call-variables.ts';
import type { LegsPart } from '#legs/originate-leg.ts';
import type { AgentCallsPart } from '#agent-calls/agent-call-actor.ts';
import type { CallTargetsPart } from '#agent-calls/agent-call.ts';
import type { ConferencesPart } from '#conferences/conference-actor.ts';
import { readWrapUp, type WrapUpPart } from '#dispositions/settings-store.ts';
import type { SoftphonesPart } from '#softphones/session.ts';
import type { MonitorsPart } from '#monitoring/monitor-registry.ts';
import type { PresenceApp, CapacityFeedPart } from '#monitoring/presence.ts';
import { callStatsPart, type CallStatsPart } from '#call-stats/ask-call-stats.ts';
import type { SchedulesPart } from '#schedules/do-run.ts';
import type { MessageFeedPart } from '#desk/message-feed.ts';
import type { PrivacyPart } from '#privacy/erase-person.ts';
import type { RetentionPart } from '#privacy/retention.ts';
import type { UpkeepPart } from '#privacy/transcript-partitions.ts';
import type { HealthPart } from '#health/health.ts';
import type { RuntimeOverviewApp } from '#overview/runtime-overview.ts';

/** The platform and the parts of all nouns. Doors take the whole; a verb names only the parts that it uses. */
export type App = Platform &
  Place &
  BusGate &
  ActorMessageOptions &
  AuditPart &
  AccessAuditPart &
  SessionsPart &
  CredentialsPart &
  SealPart &
  WebhooksPart &
  PreDialPart &
  WebhookSettings & { outsideRules: OutsideRules } & NluPart &
  AttemptWriterPart &
  RuntimeEventsPart &
  EventSignalsPart &
  RuntimeEventFeedPart &
  RejectionsPart &
  RuntimePart &
  RuntimePoolPart &
  RuntimeSettingsPart &
  UnregisteredRuntimesPart &
  SlotsPart &
  CampaignsPart &
  CampaignProgressPart &
  ClaimsPart &
  ContactsPart &
  ImportQueuePart &
  ImportProgressPart &
  SheetsPart &
  FileStorePart &
  ShownNumbersPart & { timeZone: string; serverKey: ServerKey } & PullPart &
  ImportLimits &
  RecordingsPart &
  MediaPart &
  OutcomesPart &
  AgentsPart &
  AgentStatesPart &
  AgentDirectoryPart &
  AgentReservationsPart &
  SipPart &
  CellsPart &
  PhonesPart &
  RoomsPart &
  CallsPart &
  DialNotesPart &
  DeltasPart &
  LiveCallsPart &
  CallJournalsPart &
  LiveCallsFeedPart &
  DialsPart &
  DispatchPart &
  PacingPart &
  WithdrawalsPart &
  LeftOutPart &
  LegsPart &
  AgentCallsPart &
  CallTargetsPart &
  ConferencesPart &
  WrapUpPart &
  SoftphonesPart &
  MonitorsPart &
  PresenceApp &
  CapacityFeedPart &
  MessageFeedPart &
  CallStatsPart &
  SchedulesPart &
  PrivacyPart &
  RetentionPart &
  UpkeepPart &
  HealthPart &
  RuntimeOverviewApp &
  StatesPart;

/** Makes the app; `run` runs its engines, and `checkHealth` is what orchestrators ask. */
export async function composeApp(context: ServerContext) {
  const { config, bus, clock, log } = context;
  const wakes = natsWakes(bus);
  const freed = (campaignIds: readonly number[]) => {
    for (const campaignId of campaignIds) wakes.wake.campaign(campaignId);
  };
  const ground = groundOf(context);
  const settings = dispatchSettings(config);
  const stores = storesOf(context, freed);
  const wrapUpMs = config.agents.wrapUpSeconds * 1_000;
  const wrapUpOf = (campaignId: number | null) => readWrapUp({ db: ground.db, wrapUpMs }, campaignId);
  const { runAgents, ...agents } = createAgentEngine({ ...ground, events: stores.events, wrapUpOf });
  const isInConference = customerWatch(stores.conferences);
  const preDial = askBeforeDials({ ...ground, ...stores });
  const engine = createEngine({ ...ground, ...stores, preDial, wakes, freed, settings, mediaOf: cellMedia(config), isInConference });
  const made = { ...engine.parts, ...ground, ...stores, ...settingsOf(config), ...conferenceParts(context), ...agents, wrapUpMs, settings };
  const { runAgentCalls, ...agentCalls } = createAgentCallEngine(made);
  const { pumpConferences, ...conferenceActors } = createConferenceActors(made, freed);
  const ownerOf = async (requestId: string) => (await made.calls.find(requestId.toLowerCase()))?.state.context.owner ?? null;
  const parts = {
    ...made,
    ...agentCalls,
    ...conferenceActors,
    rejections: publishRejections({ bus, events: stores.events, clock, log, ownerOf }),
  };
  const { checkHealth, ...feeds } = await composeFeeds(context, parts);
  const app: App = { ...parts, ...feeds };
  /** `dispatching` aborts first, so that a drain starts no new calls; `working` aborts last. */
  const run = (dispatching: AbortSignal, working: AbortSignal) =>
    Promise.all([engine.run(dispatching, working), runAgents(working), runAgentCalls(working), pumpConferences(working)]);
  return { app, run, checkHealth };
}

/** The platform, and what the process has made before the app. */
function groundOf(context: ServerContext) {
  const { config, database, redis, bus, clock, random, ids, log, metrics, stack } = context;
  const apology = config.media.apology === '' ? {} : { apology: config.media.apology };
  const switchPort = connectSwitch({ cells: config.cells, clock, random, log, ids, metrics: switchMetrics(metrics), ...apology });
  stack.defer(() => switchPort.close());
  const serverKey = redisServerKey(redis, clock);
  const actors = new ActorRouter({ carrier: natsActorCarrier({ bus, key: serverKey, ids, clock }), clock, log });
  return {
    ...context.people,
    ...context.gate,
    ...context.proofs,
    db: database,
    redis,
    bus,
    clock,
    random,
    ids,
    log,
    metrics,
    actors,
    serverKey,
    switchPort,
    phones: switchPort.phones,
    rooms: switchPort.conferences,
    cellIds: new Set(config.cells.map(cell => cell.id)),
    timeZone: config.server.timezone,
    region: config.server.region,
    allowedShortCodes: config.dispatch.allowedShortCodes,
  };
}

/** Stores that need only a connection. */
function storesOf(context: ServerContext, freed: Freed) {
  const { config, database, redis, bus, clock, log } = context;
  const eventSignals = natsRuntimeEventSignals(bus);
  const recordings = recordingStore({ ...recordingPlaces(config), log });
  const events = runtimeEventRepository(database, eventSignals);
  return {
    eventSignals,
    events,
    reports: openReports(context, events),
    connectUpkeep: upkeepConnection(context),
    softphoneCalls: softphoneRepository(database, freed),
    conferences: conferenceRepository(database, freed),
    callTargets: callTargets(database),
    contacts: contactRepository(database),
    ...filesOf(config, clock),
    imports: redisImportProgress(redis),
    importQueue: createImportQueue(),
    persons: personRows(database),
    policyNumbers: policyNumbers(database),
    heldTexts: redisHeldTexts(redis),
    recordings,
    removeSlice: sliceRemover(database, recordings),
    isLimitedByCampaigns: () => hasCampaignLimits(database),
    nlu: nluService(config.nlu),
    seal: createSeal(config.agents.secretKey),
    ...callStatsPart(),
    ...outsideOf(context),
  };
}

/** The store for files of imports and exports, and the download of import files by address. */
function filesOf({ files, imports }: Config, clock: Platform['clock']) {
  const store = { files: fileStoreOf(files), readWorkbook, clock, maxImportBytes: imports.maxFileMebibytes * 1_048_576 };
  const { allowPrivateAddresses: allowPrivate, buckets } = imports;
  const signObject = files.s3 === undefined ? null : objectSigner(files.s3);
  return { ...store, ...filePuller(store, { allowPrivate, buckets, signObject }) };
}

/** Requests to addresses that people type. */
function outsideOf({ config: { webhooks, agents }, stack }: ServerContext) {
  const outsideRules = { allowPrivate: webhooks.allowPrivateAddresses };
  const outside = outsideHttp(outsideRules);
  stack.defer(() => outside.close());
  return { outside, outsideRules, sendMail: mailSender(outsideRules), webhookSeal: createSeal(agents.secretKey, 'webhook.secret') };
}

/** Values of the configuration that verbs read. */
function settingsOf(config: Config) {
  const { sendDeadlineMs, originateTimeoutSeconds } = dispatchSettings(config);
  return {
    sendDeadlineMs,
    originateTimeoutSeconds,
    webhookKeepDays: config.webhooks.keepDays,
    publicUrl: config.server.publicUrl.replace(/\/+$/, ''),
    jobKeptDays: config.jobs.keptDays,
    sipSettings: config.agents,
    media: mediaOf(config),
    agentsSeeNumbers: config.agents.seeNumbers,
    callsPerMonitor: config.monitoring.callsPerMonitor,
    stuckCallMs: stuckCallMs(config),
    retentionLimits: retentionLimits(config),
  };
}

function customerWatch(conferences: ConferenceStore) {
  return async (requestId: string) => {
    const session = await conferences.findByCustomer(requestId);
    return session !== null && session.status !== 'ended';
  };
}

function switchMetrics(metrics: Metrics): SwitchMetrics {
  return {
    originated: (cellId, reply, latencyMs) => metrics.dialed({ cellId, reply, seconds: latencyMs / 1_000 }),
    cellState: (cellId, state) => metrics.cellState(cellId, state === 'up'),
  };
}

/** Longest regular time from a claim to an answer or end, ms. */
function stuckCallMs({ cells, dispatch }: Config): number {
  const ringSeconds = Math.max(30, ...cells.map(cell => cell.originateTimeoutSeconds));
  return (ringSeconds + dispatch.resultGraceSeconds) * 1_000;
}
