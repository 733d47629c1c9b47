/**
 * NATS subjects of Callout.
 *
 * Why:    ids inside subjects are UUIDs and row numbers: no dot, no wildcard, no space
 * Source: A4
 */
const ROOT = 'callout.v1';

export const RUNTIME_STREAM = 'RUNTIME';
export const RUNTIME_SUBJECTS = `${ROOT}.runtime.*.*`;
/** Durable consumer that all server instances share. */
export const RUNTIME_CONSUMER = 'callout-server';

export type RuntimeReportKind = 'started' | 'intervention' | 'ended' | 'result';

export function runtimeSubject(kind: RuntimeReportKind, requestId: string): string {
  return `${ROOT}.runtime.${kind}.${requestId}`;
}

/**
 * `Nats-Msg-Id` of a report, by which the stream drops repetitions.
 *
 * Why: it includes the epoch, so that a former owner's report, which the server rejects, does not make the stream drop the current owner's
 */
export function runtimeMessageId(requestId: string, kind: RuntimeReportKind, seq: number, epoch?: number): string {
  return epoch === undefined ? `${requestId}:${kind}:${seq}` : `${requestId}:${kind}:${epoch}:${seq}`;
}

export const CAPTION_SUBJECTS = `${ROOT}.captions.*`;

export function captionSubject(requestId: string): string {
  return `${ROOT}.captions.${requestId}`;
}

/** Server → runtime, request/reply. */
export function commandSubject<Id extends string, Name extends string>(requestId: Id, name: Name): `${typeof ROOT}.command.${Id}.${Name}` {
  return `${ROOT}.command.${requestId}.${name}`;
}

/** Commands that offer a new call to any idle runtime (queue group). */
export const START_SUBJECTS = `${ROOT}.command.*.start`;

/** Probes whether any runtime takes unaddressed calls: a `start` without a call id and with an empty body. */
export const START_PROBE_SUBJECT = `${ROOT}.command.probe.start`;

/** Registration of runtimes, request/reply; every server instance receives it, and the first answer counts. */
export const POOL_HELLO_SUBJECT = `${ROOT}.runtime-pool.hello`;
export const POOL_BEAT_SUBJECT = `${ROOT}.runtime-pool.beat`;
export const POOL_BYE_SUBJECT = `${ROOT}.runtime-pool.bye`;
/** Server → every runtime: send a heartbeat at once. */
export const POOL_ROLL_CALL_SUBJECT = `${ROOT}.runtime-pool.roll-call`;

/** Server → one registered runtime: `start` is a request; `release` and `rejected` are published. */
export function poolSubject(runtimeId: string, name: 'start' | 'release' | 'rejected'): string {
  return `${ROOT}.runtime-pool.${runtimeId}.${name}`;
}

export function commandsOf(requestId: string): string {
  return `${ROOT}.command.${requestId}.*`;
}

/** Clients and actors → actors, request/reply, answered by any server (queue group). */
export const ACTOR_SUBJECTS = `${ROOT}.actor.*.*.*`;

/** Clients address `campaign`, `call`, `intervention` and `monitor`; what actors send to each other is defined in actor-messages.ts. */
export type ActorType = 'agent' | 'agentCall' | 'campaign' | 'call' | 'intervention' | 'monitor';

export function actorSubject(type: ActorType, id: string | number, command: string): string {
  return `${ROOT}.actor.${type}.${id}.${command}`;
}

export const SCRIPT_SUBJECTS = `${ROOT}.script.*.runtime`;

export function scriptSubject(scriptId: number): string {
  return `${ROOT}.script.${scriptId}.runtime`;
}

/** Transfer of a call to an agent, requested by the runtime; same as POST /api/transfers/route and /end. */
export const TRANSFER_ROUTE_SUBJECT = `${ROOT}.transfer.route`;
export const TRANSFER_END_SUBJECT = `${ROOT}.transfer.end`;

/** Sessions of browser phones: any runtime opens one (queue group) and then receives the session's commands. */
export const SOFTPHONE_OPEN_SUBJECT = `${ROOT}.softphone.open`;
export const SOFTPHONE_REPORT_SUBJECTS = `${ROOT}.softphone.*.event`;
export const SOFTPHONE_SIGNAL_SUBJECT = `${ROOT}.events.softphone`;

export function softphoneCommandSubject(sessionId: string, name: string): string {
  return `${ROOT}.softphone.${sessionId}.command.${name}`;
}

export function softphoneCommandsOf(sessionId: string): string {
  return `${ROOT}.softphone.${sessionId}.command.*`;
}

export function softphoneReportSubject(sessionId: string): string {
  return `${ROOT}.softphone.${sessionId}.event`;
}

export const LIVE_SUBJECTS = `${ROOT}.live.>`;

export function liveSubject(campaignId: number, userId: number | null, requestId: string, kind: string): string {
  return `${ROOT}.live.${campaignId}.${userId ?? '_'}.${requestId}.${kind}`;
}

export const WAKE_SUBJECTS = `${ROOT}.wake.campaign.*`;

/** `all` wakes every running campaign. */
export function wakeSubject(campaignId: number | null): string {
  return `${ROOT}.wake.campaign.${campaignId ?? 'all'}`;
}

export const RUNTIME_EVENTS_SUBJECT = `${ROOT}.events.runtime`;
export const SESSION_ENDED_SUBJECT = `${ROOT}.events.session-ended`;
