import { connectSwitch } from '#adapters/freeswitch/freeswitch.ts';
import { natsActorCarrier } from '#adapters/nats/actor-carrier.ts';
import { natsRuntimeEventSignals } from '#adapters/nats/signals.ts';
import { attemptRepository } from '#adapters/postgres/attempt-repository.ts';
import { campaignRepository } from '#adapters/postgres/campaign-repository.ts';
import { conferenceRepository } from '#adapters/postgres/conference-repository.ts';
import { contactRepository } from '#adapters/postgres/contact-repository.ts';
import { personRows } from '#operations/people/person-rows.ts';
import { sliceRemover } from '#operations/retention/remove-slice.ts';
import { runtimeEventRepository } from '#adapters/postgres/runtime-event-repository.ts';
import { callTargets, softphoneRepository } from '#adapters/postgres/softphone-repository.ts';
import { scriptRepository } from '#adapters/postgres/script-repository.ts';
import { readWorkbook } from '#adapters/xlsx/read-workbook.ts';
import { enabledLines } from '#management/lines.ts';
import type { SwitchMetrics } from '#adapters/freeswitch/switch-cell.ts';
import { redisServerKey } from '#adapters/redis/server-key.ts';
import { ActorRouter } from '#host/actor-router.ts';
import type { Metrics } from '#ports/metrics.ts';
import type { Config } from '../config/shape.ts';
import { createAgentCallEngine } from './agent-call-engine.ts';
import { createAgentEngine } from './agent-engine.ts';
import { policyReads } from '#operations/policies/policy-reads.ts';
import { createSeal } from '#operations/access/seal.ts';
import { tellRejections } from '#operations/runtime-events/tell-rejections.ts';
import { createEngine } from './call-engine.ts';
import { cellMedia, dispatchSettings, retentionLimits } from './settings.ts';
import type { ServerContext } from './context.ts';

/** Everything that operations may reach, by the names that their `deps` use. */
export type Product = ReturnType<typeof composeProduct>;

export function composeProduct(context: ServerContext) {
  const { config, database, redis, bus, clock, random, ids, log, metrics, stack } = context;
  const apology = config.media.apology === '' ? {} : { apology: config.media.apology };
  const switchPort = connectSwitch({ cells: config.cells, clock, random, log, ids, metrics: switchMetrics(metrics), ...apology });
  stack.defer(() => switchPort.close());
  const signals = natsRuntimeEventSignals(bus);
  const events = runtimeEventRepository(database, signals);
  const campaigns = campaignRepository(database);
  const settings = dispatchSettings(config);
  const attempts = attemptRepository(database);
  const softphoneCalls = softphoneRepository(database);
  const policies = policyReads(database);
  const serverKey = redisServerKey(redis, clock);
  const actors = new ActorRouter({ carrier: natsActorCarrier({ bus, key: serverKey, ids }), clock, log });
  const agentEngine = createAgentEngine({
    actors,
    db: database,
    redis,
    switchPort,
    phones: switchPort.phones,
    clock,
    random,
    ids,
    log,
    wrapUpMs: config.agents.wrapUpSeconds * 1_000,
  });
  const engine = createEngine({
    db: database,
    redis,
    bus,
    metrics,
    switchPort,
    actors,
    attempts,
    softphoneCalls,
    events,
    clock,
    random,
    ids,
    log,
    settings,
    mediaOf: cellMedia(config),
  });
  const agentCallEngine = createAgentCallEngine({
    redis,
    softphoneCalls,
    policies,
    agentReservations: agentEngine.agentReservations,
    actors,
    slots: engine.slots,
    switchPort,
    phones: switchPort.phones,
    clock,
    random,
    ids,
    log,
    timeZone: config.server.timezone,
    sendDeadlineMs: settings.sendDeadlineMs,
    originateTimeoutSeconds: settings.originateTimeoutSeconds,
  });
  return {
    ...engine,
    ...agentEngine,
    ...agentCallEngine,
    serverKey,
    callTargets: callTargets(database),
    conferences: conferenceRepository(database),
    readWorkbook,
    sendDeadlineMs: settings.sendDeadlineMs,
    originateTimeoutSeconds: settings.originateTimeoutSeconds,
    db: database,
    engine,
    settings,
    switchPort,
    switch: switchPort,
    signals,
    events,
    rejections: tellRejections({ bus, events, clock, log }),
    campaigns,
    attempts,
    contacts: contactRepository(database),
    persons: personRows(database),
    removeSlice: sliceRemover(database),
    retentionLimits: retentionLimits(config),
    enabledLines: () => enabledLines(database),
    policies,
    scripts: scriptRepository(database),
    softphoneCalls,
    audit: context.audit,
    accessAudit: context.accessAudit,
    seal: createSeal(config.agents.secretKey),
    sipSettings: config.agents,
    cellIds: new Set(config.cells.map(cell => cell.id)),
    stuckCallMs: stuckCallMs(config),
    callsPerMonitor: config.monitoring.callsPerMonitor,
    timeZone: config.server.timezone,
    zone: config.server.timezone,
    clock,
    ids,
    log,
  };
}

function switchMetrics(metrics: Metrics): SwitchMetrics {
  return {
    originated: (cellId, reply, latencyMs) => metrics.dialed({ cellId, reply, seconds: latencyMs / 1_000 }),
    cellState: (cellId, state) => metrics.cellState(cellId, state === 'up'),
  };
}

/** Longest time from a claim to an answer or an end that is in order, ms. */
function stuckCallMs({ cells, dispatch }: Config): number {
  const ringSeconds = Math.max(30, ...cells.map(cell => cell.originateTimeoutSeconds));
  return (ringSeconds + dispatch.resultGraceSeconds) * 1_000;
}
