import { setTimeout as delay } from 'node:timers/promises';
import { attendSwitches } from '#agents/attend-switches.ts';
import type { App } from '#app/app.ts';
import type { ServerContext } from '#app/context.ts';
import { serveReports } from '#calls/bus.ts';
import { endCall } from '#calls/hang-up.ts';
import { updateCampaign } from '#campaigns/change-campaigns.ts';
import { updateCampaignRoute } from '#campaigns/routes.ts';
import { runContactIndexing } from '#contacts/contact-counts.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import { type BusMonitoringDeps, hangUpAsPerson, MONITORING_COMMANDS } from '#monitoring/bus.ts';
import { idText4 } from '#platform/http/route.ts';
import { type ActorMessageOptions, deliverMessage, isActorMessage } from '#platform/nats/actor-carrier.ts';
import type { Bus, BusMessage } from '#platform/nats/bus.ts';
import { proofFault, requireProven } from '#platform/nats/proof.ts';
import { answerRequest, callerFor, parseRequest } from '#platform/nats/requests.ts';
import { releaseHolds } from '#policies/holds.ts';
import { runRetention } from '#privacy/retention.ts';
import { watchCallbacks } from '#callbacks/watch-callbacks.ts';
import { endCallRequest, scriptRequest } from '#protocol/requests.ts';
import { ACTOR_SUBJECTS, SCRIPT_SUBJECTS } from '#protocol/subjects.ts';
import { recordOutages } from '#runtime-events/outages.ts';
import { serveRuntimePool } from '#runtimes/bus.ts';
import { getRuntimeScript } from '#scripts/script-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { AuditPart } from '#audit/audit.ts';
import type { CallsPart } from '#calls/call-actor.ts';
import type { CampaignsPart } from '#campaigns/campaign-actor.ts';
import type { ClaimsPart } from '#campaigns/campaign.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { CellsPart } from '#platform/freeswitch/switch.ts';

type BusActorDeps = ActorMessageOptions &
  AuditPart &
  BusMonitoringDeps &
  CampaignsPart &
  ClaimsPart &
  SlotsPart &
  CellsPart &
  Pick<AuditPart & Pick<Platform, 'db'>, 'db'> & { log: Log } & Pick<CallsPart, 'calls'> &
  Pick<Platform, 'db' | 'wake' | 'ids'>;

const QUEUE = 'callout-server';

/**
 * Serves requests to actors, from NATS clients and from actors of any instance, and reads of scripts. Returns a function that stops it.
 *
 * Source: A4 `callout.v1.actor.<type>.<id>.<command>`, `callout.v1.script.<id>.runtime`
 */
export function serveActors(deps: BusActorDeps, bus: Bus): () => void {
  const answer = (work: (message: BusMessage) => Promise<unknown>) => (message: BusMessage) => void answerRequest(deps.log, message, work);
  const stopActors = bus.subscribe(
    ACTOR_SUBJECTS,
    { queue: QUEUE },
    answer(message => (isActorMessage(message) ? deliverMessage(deps, message) : command(deps, message))),
  );
  const stopScripts = bus.subscribe(
    SCRIPT_SUBJECTS,
    { queue: QUEUE },
    answer(message => runtimeScript(deps, message)),
  );
  return () => {
    stopActors();
    stopScripts();
  };
}

/** Answers with the same JSON as the `data` of REST. */
async function runtimeScript(deps: BusActorDeps, message: BusMessage): Promise<unknown> {
  requireProven(proofFault(deps, message));
  const { subject, body } = message;
  const id = idOf(subject.split('.')[3], '话术脚本');
  const { version } = parseRequest(scriptRequest, body);
  const script = await getRuntimeScript(deps, id, version ?? null);
  return script.runtime;
}

async function command(deps: BusActorDeps, message: BusMessage): Promise<unknown> {
  const [, , , type = '', id = '', name = ''] = message.subject.split('.');
  switch (`${type}.${name}`) {
    case 'call.hangup':
      return hangUp(deps, id, message);
    case 'campaign.start':
      return moveCampaign(deps, id, 'running', message);
    case 'campaign.pause':
      return moveCampaign(deps, id, 'paused', message);
    default:
      return monitoringCommand(deps, { type, id, name }, message);
  }
}

async function monitoringCommand(
  deps: BusActorDeps,
  { type, id, name }: Record<'type' | 'id' | 'name', string>,
  message: BusMessage,
): Promise<unknown> {
  const kind = `${type}.${name}`;
  const run = Object.hasOwn(MONITORING_COMMANDS, kind) ? MONITORING_COMMANDS[kind] : undefined;
  if (!run) throw new CalloutError('NOT_FOUND', `不支持的命令：${kind}`);
  return run(deps, id, message);
}

/** A user's request carries a session token; the runtime's own goodbye is signed. */
async function hangUp(deps: BusActorDeps, id: string, message: BusMessage): Promise<{ requestId: string }> {
  const { token, cause } = parseRequest(endCallRequest, message.body);
  if (token !== undefined) return hangUpAsPerson(deps, id, message.body);
  return endCall(deps, await callerFor(deps, { access: 'internal' }, message), id, cause ?? 'NORMAL_CLEARING');
}

/** Same as PATCH /api/campaigns/:id, including the audit row. */
async function moveCampaign(
  deps: BusActorDeps,
  id: string,
  status: 'running' | 'paused',
  message: BusMessage,
): Promise<{ status: string }> {
  const caller = await callerFor(deps, updateCampaignRoute, message);
  return { status: (await updateCampaign(deps, caller, idOf(id, '活动'), { status })).status };
}

/** An id that no row can have is reported as not found. */
function idOf(text: string | undefined, noun: string): number {
  const parsed = idText4.safeParse(text);
  if (!parsed.success) throw notFound(noun);
  return parsed.data;
}

/** Interval of the check for remaining live calls during the drain, ms. */
const DRAIN_POLL_MS = 200;

/**
 * Runs the engine beside HTTP. The drain stops new dials first and waits for live calls; other instances continue the remaining ones.
 *
 * Source: A1.1, D1
 */
export async function runEngine(context: ServerContext, app: App): Promise<void> {
  const { ground, campaigns, dialling, calls, agents, agentCalls, events, retention } = app;
  const reach = { ...ground, ...campaigns, ...dialling, ...calls, ...agents, ...agentCalls, ...events };
  const { bus, stack, draining, redis, metrics } = context;
  const working = new AbortController();
  // The current configuration may allow short codes that were forbidden when their contacts were put on hold.
  await ground.db.transaction(tx => releaseHolds(tx, { reasons: ['short_code'] }));
  const stopReports = await serveReports({ ...reach, ...context.proofs, metrics }, bus);
  const stopActors = serveActors({ ...reach, ...context.gate, ...context.proofs }, bus);
  const stopPool = serveRuntimePool({ ...reach, ...context.proofs }, bus);
  const stopOutages = recordOutages({ ...ground, ...events, bus, cache: redis });
  const running = Promise.all([
    // A failed start is undone without a drain: aborting the work must stop dialling, too.
    dialling.run(AbortSignal.any([draining, working.signal]), working.signal),
    agents.runAgents(working.signal),
    agentCalls.runAgentCalls(working.signal),
    watchCallbacks({ ...ground, ...dialling, ...events }, working.signal),
    runRetention({ ...ground, ...dialling, ...retention, metrics }, working.signal),
    runContactIndexing(context, working.signal),
  ]);
  running.catch(context.fail);
  context.onDrain(() => untilNoLiveCall(dialling, working.signal));
  context.onListening(() => attendWhileListening(context, app));
  stack.defer(async () => {
    stopOutages();
    stopPool();
    stopActors();
    await stopReports();
    working.abort();
    await running;
  });
}

/** Switches ask over HTTP, so this server attends them only while it listens. */
function attendWhileListening({ stack, fail }: ServerContext, { ground, agents }: App): void {
  const leaving = new AbortController();
  // The query that answers a switch; no agent has an empty extension.
  const directory = () => agents.agents.findByExtension('');
  const attending = attendSwitches({ ...ground, ...agents, directory }, leaving.signal);
  attending.catch(fail);
  stack.defer(async () => {
    leaving.abort();
    await attending;
  });
}

/** `over` aborts when the drain's time is up and the server stops everything still running. */
async function untilNoLiveCall({ dials }: App['dialling'], over: AbortSignal): Promise<void> {
  while ((await dials.openAttempts(0, 1)).length > 0) {
    await delay(DRAIN_POLL_MS);
    if (over.aborted) return;
  }
}
