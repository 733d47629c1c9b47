import type { JsonObject } from '#kernel/json.ts';
import type { CallTargets, SoftphoneStore } from '#ports/softphone-store.ts';
import type { SoftphoneEventKind, SoftphoneRuntime, SoftphoneSessionStore, SoftphoneSignals } from '#ports/softphone-session-store.ts';
import type { AccessAuditDeps } from '../access/access-audit.ts';
import type { ParticipantDeps } from '../conferences/add-participant.ts';

/** Kind of the holder under which sessions reserve agents: `session:<sessionId>`. */
export const HOLDER_KIND = 'session';

export interface SoftphoneSessionDeps extends ParticipantDeps, AccessAuditDeps {
  callTargets: CallTargets;
  softphoneCalls: Pick<SoftphoneStore, 'create' | 'find' | 'close'>;
  softphoneSessions: SoftphoneSessionStore;
  softphoneRuntime: SoftphoneRuntime;
  softphoneSignals: SoftphoneSignals;
}

/** Gives a session's agent back; what fails now ends with the lease, or when the agent's own watch finds its channel gone. */
export async function letGo({ reservations, log }: Pick<SoftphoneSessionDeps, 'reservations' | 'log'>, fence: string): Promise<void> {
  await reservations
    .release(fence)
    .catch((error: unknown) => log.warn({ err: error }, 'the agent of a session could not be given back now'));
}

/** Writes one event of a session and wakes its streams. */
export async function notifySession(
  { softphoneSessions, softphoneSignals }: Pick<SoftphoneSessionDeps, 'softphoneSessions' | 'softphoneSignals'>,
  softphoneCallId: number,
  kind: SoftphoneEventKind,
  data: JsonObject,
): Promise<void> {
  await softphoneSessions.addEvent(softphoneCallId, kind, data);
  softphoneSignals.publish(softphoneCallId);
}
