import type { JsonObject } from '#kernel/json.ts';
import type { CallTargets, SoftphoneStore } from '#agent-calls/agent-call.ts';
import type { SoftphoneEventKind, SoftphoneRuntime, SoftphoneSessionStore, SoftphoneSignals } from './softphone-session-store.ts';
import type { AccessAuditDeps } from '#audit/access-audit.ts';
import type { ParticipantDeps } from '#conferences/add-participant.ts';

/** Holder prefix of agents reserved by sessions: `session:<sessionId>`. */
export const HOLDER_KIND = 'session';

export interface SoftphoneSessionDeps extends ParticipantDeps, AccessAuditDeps {
  callTargets: CallTargets;
  softphoneCalls: Pick<SoftphoneStore, 'create' | 'find' | 'close'>;
  softphoneSessions: SoftphoneSessionStore;
  softphoneRuntime: SoftphoneRuntime;
  softphoneSignals: SoftphoneSignals;
}

/** Releases a session's agent; after a failure, its lease or its own probe of the channel releases it. */
export async function releaseAgent(
  { reservations, log }: Pick<SoftphoneSessionDeps, 'reservations' | 'log'>,
  fence: string,
): Promise<void> {
  await reservations.release(fence).catch((error: unknown) => log.warn({ err: error }, 'the agent of a session could not be released'));
}

/** Writes an event of a session and wakes its streams. */
export async function notifySession(
  { softphoneSessions, softphoneSignals }: Pick<SoftphoneSessionDeps, 'softphoneSessions' | 'softphoneSignals'>,
  softphoneCallId: number,
  kind: SoftphoneEventKind,
  data: JsonObject,
): Promise<void> {
  await softphoneSessions.addEvent(softphoneCallId, kind, data);
  softphoneSignals.publish(softphoneCallId);
}
