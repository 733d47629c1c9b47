import { natsWakes } from '#platform/nats/signals.ts';
import { connectSwitch } from '#platform/freeswitch/freeswitch.ts';
import { natsActorCarrier } from '#platform/nats/actor-carrier.ts';
import { conferenceRepository } from '#conferences/conference-store.ts';
import { contactRepository } from '#contacts/contact-store.ts';
import { createImportQueue } from '#imports/import-file.ts';
import { personRows } from '#privacy/person-rows.ts';
import { policyNumbers } from '#privacy/policy-numbers.ts';
import { sliceRemover } from '#privacy/remove-slice.ts';
import { runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import { callTargets, softphoneRepository } from '#agent-calls/agent-call-store.ts';
import { readWorkbook } from '#platform/files/read-workbook.ts';
import type { SwitchMetrics } from '#platform/freeswitch/switch-cell.ts';
import { recordingStore } from '#recordings/recording-store.ts';
import { redisHeldTexts } from '#privacy/held-texts.ts';
import { redisImportProgress } from '#imports/progress.ts';
import { redisServerKey } from '#platform/redis/server-key.ts';
import { ActorRouter } from '#platform/actor-host/actor-router.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Config } from '#platform/config/shape.ts';
import { createAgentCallEngine, createAgentEngine } from './agent-engines.ts';
import { createSeal } from '#access/seal.ts';
import { publishRejections } from '#runtime-events/rejections.ts';
import { createEngine } from './call-engine.ts';
import { cellMedia, dispatchSettings, recordingPlaces, retentionLimits } from './settings.ts';
import type { ServerContext } from './context.ts';
import { natsRuntimeEventSignals } from '#runtime-events/runtime-event-signals.ts';

export type App = ReturnType<typeof composeApp>;

/** Everything that operations use, grouped by noun; members have the names used in their `app`. */
export function composeApp(context: ServerContext) {
  const { config, database, redis, bus, clock, random, ids, log, metrics, stack } = context;
  const apology = config.media.apology === '' ? {} : { apology: config.media.apology };
  const switchPort = connectSwitch({ cells: config.cells, clock, random, log, ids, metrics: switchMetrics(metrics), ...apology });
  stack.defer(() => switchPort.close());
  const signals = natsRuntimeEventSignals(bus);
  const events = runtimeEventRepository(database, signals);
  const settings = dispatchSettings(config);
  const wakes = natsWakes(bus);
  const freed = (campaignIds: readonly number[]) => {
    for (const campaignId of campaignIds) wakes.wake.campaign(campaignId);
  };
  const softphoneCalls = softphoneRepository(database, freed);
  const conferences = conferenceRepository(database, freed);
  const recordings = recordingStore({ ...recordingPlaces(config), log });
  const serverKey = redisServerKey(redis, clock);
  const actors = new ActorRouter({ carrier: natsActorCarrier({ bus, key: serverKey, ids, clock }), clock, log });
  const ground = {
    db: database,
    actors,
    switchPort,
    cellIds: new Set(config.cells.map(cell => cell.id)),
    audit: context.audit,
    accessAudit: context.accessAudit,
    timeZone: config.server.timezone,
    region: config.server.region,
    allowedShortCodes: config.dispatch.allowedShortCodes,
    clock,
    ids,
    log,
  };
  const world = { ...ground, redis, bus, metrics, random, phones: switchPort.phones };
  const agents = createAgentEngine({ ...world, wrapUpMs: config.agents.wrapUpSeconds * 1_000 });
  const isInConference = async (requestId: string) => {
    const session = await conferences.findByCustomer(requestId);
    return session !== null && session.status !== 'ended';
  };
  const engine = createEngine({ ...world, wakes, freed, softphoneCalls, events, settings, mediaOf: cellMedia(config), isInConference });
  const { sendDeadlineMs, originateTimeoutSeconds } = settings;
  const placing = { softphoneCalls, conferences, sendDeadlineMs, originateTimeoutSeconds };
  const agentCalls = createAgentCallEngine({ ...world, ...placing, agentReservations: agents.agentReservations, slots: engine.slots });
  const { run: runDialling, calls, monitors, deltas, wake, writer, liveCalls, callStore, campaignHost, ...dialling } = engine;
  const ownerOf = async (requestId: string) => (await calls.find(requestId.toLowerCase()))?.state.context.owner ?? null;
  return {
    /** Shared by all groups. */
    ground: { ...ground, wake },
    campaigns: { campaignHost },
    contacts: {
      contacts: contactRepository(database),
      readWorkbook,
      imports: redisImportProgress(redis),
      importQueue: createImportQueue(),
      persons: personRows(database),
      policyNumbers: policyNumbers(database),
      heldTexts: redisHeldTexts(redis),
    },
    dialling: { ...dialling, settings, serverKey, run: runDialling },
    calls: {
      calls,
      monitors,
      deltas,
      writer,
      liveCalls,
      callStore,
      conferences,
      callsPerMonitor: config.monitoring.callsPerMonitor,
    },
    agents: { ...agents, seal: createSeal(config.agents.secretKey), sipSettings: config.agents },
    agentCalls: { ...agentCalls, ...placing, callTargets: callTargets(database) },
    events: {
      events,
      signals,
      eventSignals: signals,
      rejections: publishRejections({ bus, events, clock, log, ownerOf }),
      stuckCallMs: stuckCallMs(config),
    },
    recordings: { recordings },
    retention: { removeSlice: sliceRemover(database, recordings), retentionLimits: retentionLimits(config) },
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
