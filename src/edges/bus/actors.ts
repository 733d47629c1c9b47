import { ACTOR_SUBJECTS, SCRIPT_SUBJECTS } from '#contract/nats/subjects.ts';
import { idText4, rowId } from '#contract/rest/fields.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import { endCall, type EndCallDeps } from '#operations/calls/end-call.ts';
import { getRuntimeScript } from '#operations/scripts/get-runtime-script.ts';
import type { Bus, BusMessage } from '#ports/bus.ts';
import type { CampaignActor } from '#ports/campaign-actor.ts';
import type { ScriptStore } from '#ports/script-store.ts';
import { answerRequest } from './answer.ts';
import { type BusMonitoringDeps, hangUpAsPerson, MONITORING_COMMANDS } from './monitoring.ts';

export interface BusActorDeps extends EndCallDeps, BusMonitoringDeps {
  scripts: Pick<ScriptStore, 'findRuntime'>;
  campaignActor: CampaignActor;
  ids: IdSource;
  log: Log;
}

const QUEUE = 'callout-server';

/**
 * Actors and scripts addressed by NATS clients, request/reply. Returns how to stop.
 *
 * Source: A4 `callout.v1.actor.<type>.<id>.<command>`, `callout.v1.script.<id>.runtime`
 */
export function serveActors(deps: BusActorDeps, bus: Bus): () => void {
  const answer = (work: (message: BusMessage) => Promise<unknown>) => (message: BusMessage) => void answerRequest(deps.log, message, work);
  const stopActors = bus.subscribe(
    ACTOR_SUBJECTS,
    { queue: QUEUE },
    answer(message => command(deps, message)),
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

/** The same JSON as REST's `data`. */
async function runtimeScript(deps: BusActorDeps, { subject, body }: BusMessage): Promise<unknown> {
  const script = await getRuntimeScript(deps, idOf(subject.split('.')[3]), versionOf(body));
  return script.runtime;
}

function versionOf(body: unknown): number | null {
  const version = typeof body === 'object' && body !== null && 'version' in body ? (body.version ?? null) : null;
  if (version === null) return null;
  const parsed = rowId.safeParse(version);
  if (!parsed.success) throw notFound('话术脚本版本');
  return parsed.data;
}

async function command(deps: BusActorDeps, { subject, body }: BusMessage): Promise<unknown> {
  const [, , , type = '', id = '', name = ''] = subject.split('.');
  const by = { userId: null, name: 'bus', traceId: deps.ids() };
  switch (`${type}.${name}`) {
    case 'call.hangup':
      return isFromPerson(body) ? hangUpAsPerson(deps, id, body) : endCall(deps, id, hangupCause(body));
    case 'campaign.start':
      return { status: (await deps.campaignActor.start(idOf(id), by)).status };
    case 'campaign.pause':
      return { status: (await deps.campaignActor.pause(idOf(id), by)).status };
    default:
      return monitoringCommand(deps, { type, id, name }, body);
  }
}

async function monitoringCommand(
  deps: BusActorDeps,
  { type, id, name }: Record<'type' | 'id' | 'name', string>,
  body: unknown,
): Promise<unknown> {
  const kind = `${type}.${name}`;
  const run = Object.hasOwn(MONITORING_COMMANDS, kind) ? MONITORING_COMMANDS[kind] : undefined;
  if (!run) throw new CalloutError('NOT_FOUND', `不支持的命令：${kind}`);
  return run(deps, id, body);
}

function isFromPerson(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'token' in body;
}

/** The runtime's own goodbye; any other cause it may name is one of the switch's words. */
function hangupCause(body: unknown): string {
  const cause = typeof body === 'object' && body !== null && 'cause' in body ? body.cause : undefined;
  return typeof cause === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(cause) ? cause : 'NORMAL_CLEARING';
}

/** What no row can have is the id of nothing. */
function idOf(text: string | undefined): number {
  const parsed = idText4.safeParse(text);
  if (!parsed.success) throw notFound('对象');
  return parsed.data;
}
