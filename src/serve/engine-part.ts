import { setTimeout as delay } from 'node:timers/promises';
import { attendSwitches } from '#agents/attend-switches.ts';
import type { App } from '#app/app.ts';
import type { ServerContext } from '#app/context.ts';
import { serveReports } from '#calls/bus.ts';
import { endCall } from '#calls/hang-up.ts';
import { updateCampaign } from '#campaigns/change-campaigns.ts';
import { updateCampaignRoute } from '#campaigns/routes.ts';
import { runContactIndexing } from '#contacts/contact-counts.ts';
import { type JobSettings, runJobs } from '#jobs/run-jobs.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import { hangUpAsPerson, MONITORING_COMMANDS } from '#monitoring/bus.ts';
import { idText4 } from '#platform/http/route.ts';
import { deliverMessage, isActorMessage } from '#platform/nats/actor-carrier.ts';
import type { Bus, BusMessage } from '#platform/nats/bus.ts';
import { proofFault, requireProven } from '#platform/nats/proof.ts';
import { answerRequest, callerFor, parseRequest } from '#platform/nats/requests.ts';
import { releaseHolds } from '#policies/holds.ts';
import { runSealing } from '#call-stats/seal-hours.ts';
import { runSchedules } from '#schedules/run-schedules.ts';
import { runWebhooks } from '#webhooks/run-webhooks.ts';
import { runRetention } from '#privacy/retention.ts';
import { runTranscriptPartitions } from '#privacy/transcript-partitions.ts';
import { runRecordingChecks } from '#recordings/check-recordings.ts';
import { watchAnswers } from '#outcomes/watch-answers.ts';
import { watchCallbacks } from '#callbacks/watch-callbacks.ts';
import { expireDials } from '#dials/expire-dials.ts';
import { ringForCallbacks } from '#agent-calls/ring-for-callbacks.ts';
import { endCallRequest, scriptRequest } from '#protocol/requests.ts';
import { ACTOR_SUBJECTS, SCRIPT_SUBJECTS } from '#protocol/subjects.ts';
import { recordOutages } from '#runtime-events/outages.ts';
import { serveRuntimePool } from '#runtimes/bus.ts';
import { getRuntimeScript } from '#scripts/script-store.ts';
import { jobKinds } from './job-kinds.ts';

const QUEUE = 'callout-server';

/**
 * Serves requests to actors, from NATS clients and from actors of any instance, and reads of scripts. Returns a function that stops it.
 *
 * Source: A4 `callout.v1.actor.<type>.<id>.<command>`, `callout.v1.script.<id>.runtime`
 */
export function serveActors(app: App, bus: Bus): () => void {
  const answer = (work: (message: BusMessage) => Promise<unknown>) => (message: BusMessage) => void answerRequest(app.log, message, work);
  const stopActors = bus.subscribe(
    ACTOR_SUBJECTS,
    { queue: QUEUE },
    answer(message => (isActorMessage(message) ? deliverMessage(app, message) : command(app, message))),
  );
  const stopScripts = bus.subscribe(
    SCRIPT_SUBJECTS,
    { queue: QUEUE },
    answer(message => runtimeScript(app, message)),
  );
  return () => {
    stopActors();
    stopScripts();
  };
}

/** Answers with the same JSON as the `data` of REST. */
async function runtimeScript(app: App, message: BusMessage): Promise<unknown> {
  requireProven(proofFault(app, message));
  const { subject, body } = message;
  const id = idOf(subject.split('.')[3], '话术脚本');
  const { version } = parseRequest(scriptRequest, body);
  const script = await getRuntimeScript(app, id, version ?? null);
  return script.runtime;
}

async function command(app: App, message: BusMessage): Promise<unknown> {
  const [, , , type = '', id = '', name = ''] = message.subject.split('.');
  switch (`${type}.${name}`) {
    case 'call.hangup':
      return hangUp(app, id, message);
    case 'campaign.start':
      return moveCampaign(app, id, 'running', message);
    case 'campaign.pause':
      return moveCampaign(app, id, 'paused', message);
    default:
      return monitoringCommand(app, { type, id, name }, message);
  }
}

async function monitoringCommand(
  app: App,
  { type, id, name }: Record<'type' | 'id' | 'name', string>,
  message: BusMessage,
): Promise<unknown> {
  const kind = `${type}.${name}`;
  const run = Object.hasOwn(MONITORING_COMMANDS, kind) ? MONITORING_COMMANDS[kind] : undefined;
  if (!run) throw new CalloutError('NOT_FOUND', `不支持的命令：${kind}`);
  return run(app, id, message);
}

/** A user's request carries a session token; the runtime's own goodbye is signed. */
async function hangUp(app: App, id: string, message: BusMessage): Promise<{ requestId: string }> {
  const { token, cause } = parseRequest(endCallRequest, message.body);
  if (token !== undefined) return hangUpAsPerson(app, id, message.body);
  return endCall(app, await callerFor(app, { access: 'internal' }, message), id, cause ?? 'NORMAL_CLEARING');
}

/** Same as PATCH /api/campaigns/:id, including the audit row. */
async function moveCampaign(app: App, id: string, status: 'running' | 'paused', message: BusMessage): Promise<{ status: string }> {
  const caller = await callerFor(app, updateCampaignRoute, message);
  return { status: (await updateCampaign(app, caller, idOf(id, '活动'), { status })).status };
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
export async function runEngine(
  context: ServerContext,
  app: App,
  run: (dispatching: AbortSignal, working: AbortSignal) => Promise<unknown>,
) {
  const { bus, stack, draining, redis } = context;
  const working = new AbortController();
  // The current configuration may allow short codes that were forbidden when their contacts were put on hold.
  await app.db.transaction(tx => releaseHolds(tx, { reasons: ['short_code'] }));
  const stopReports = await serveReports(app, bus);
  const stops = [recordOutages({ ...app, bus, cache: redis }), serveRuntimePool(app, bus), serveActors(app, bus)];
  const jobs = jobSettings(context, app);
  const running = Promise.all([
    // A failed start is undone without a drain: aborting the work must stop dialling, too.
    run(AbortSignal.any([draining, working.signal]), working.signal),
    watchCallbacks(app, working.signal),
    expireDials(app, working.signal),
    ringForCallbacks(app, AbortSignal.any([draining, working.signal])),
    watchAnswers(app, working.signal),
    runRetention(app, working.signal),
    runTranscriptPartitions(app, working.signal),
    runSealing(app, working.signal),
    runWebhooks(app, working.signal),
    runSchedules(app, working.signal),
    runRecordingChecks({ ...app, jobs }, working.signal),
    runContactIndexing(context, working.signal),
    runJobs({ ...app, jobs }, jobKinds(app), AbortSignal.any([draining, working.signal])),
  ]);
  running.catch(context.fail);
  context.onDrain(() => untilNoLiveCall(app, working.signal));
  context.onListening(() => attendWhileListening(context, app));
  stack.defer(async () => {
    for (const stop of stops) stop();
    await stopReports();
    working.abort();
    await running;
  });
}

/** Jobs rest while a dial has waited this long for its turn, in ms: half of what the dispatcher itself allows. */
const MAX_DIAL_LAG_MS = 100;

function jobSettings({ config }: ServerContext, { backlog }: App): JobSettings {
  return { ...config.jobs, isDialingBehind: () => backlog.lagMs() > MAX_DIAL_LAG_MS };
}

/** Switches ask over HTTP, so this server attends them only while it listens. */
function attendWhileListening({ stack, fail }: ServerContext, app: App): void {
  const leaving = new AbortController();
  // The query that answers a switch; no agent has an empty extension.
  const directory = () => app.agents.findByExtension('');
  const attending = attendSwitches({ ...app, directory }, leaving.signal);
  attending.catch(fail);
  stack.defer(async () => {
    leaving.abort();
    await attending;
  });
}

/** `over` aborts when the drain's time is up and the server stops everything still running. */
async function untilNoLiveCall({ dials }: App, over: AbortSignal): Promise<void> {
  while ((await dials.openAttempts(0, 1)).length > 0) {
    await delay(DRAIN_POLL_MS);
    if (over.aborted) return;
  }
}
