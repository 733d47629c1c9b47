import { ACTOR_SUBJECTS, SCRIPT_SUBJECTS } from '#protocol/subjects.ts';
import { endCallRequest, scriptRequest } from '#protocol/requests.ts';
import { updateCampaignRoute } from '#campaigns/routes.ts';
import { idText4 } from '#platform/http/route.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import { updateCampaign, type UpdateCampaignDeps } from '#campaigns/change-campaigns.ts';
import { endCall, type EndCallDeps } from '#calls/hang-up.ts';
import { getRuntimeScript, type ScriptDeps } from '#scripts/script-store.ts';
import type { Bus, BusMessage } from '#platform/nats/bus.ts';
import { type ActorMessageDeps, deliverMessage, isActorMessage } from '#platform/nats/actor-carrier.ts';
import { answerRequest, callerFor, parseRequest } from '#platform/nats/requests.ts';
import { type BusMonitoringDeps, hangUpAsPerson, MONITORING_COMMANDS } from '#monitoring/bus.ts';
import { proofFault, requireProven } from '#platform/nats/proof.ts';

export type BusActorDeps = ActorMessageDeps & EndCallDeps & BusMonitoringDeps & UpdateCampaignDeps & Pick<ScriptDeps, 'db'> & { log: Log };

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
