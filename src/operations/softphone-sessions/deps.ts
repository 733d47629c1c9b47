import type { IdSource } from '#kernel/ids.ts';
import type { JsonObject } from '#ports/records.ts';
import type { SoftphoneStore } from '#ports/softphone-store.ts';
import type { SoftphoneEventKind, SoftphoneRuntime, SoftphoneSessionStore, SoftphoneSignals } from '#ports/softphone-session-store.ts';
import type { ParticipantDeps } from '../conferences/add-participant.ts';

export interface SoftphoneSessionDeps extends ParticipantDeps {
  ids: IdSource;
  softphoneCalls: Pick<SoftphoneStore, 'create' | 'find' | 'close'>;
  softphoneSessions: SoftphoneSessionStore;
  softphoneRuntime: SoftphoneRuntime;
  softphoneSignals: SoftphoneSignals;
}

/** Writes one event of a session and wakes its streams. */
export async function tellSession(
  { softphoneSessions, softphoneSignals }: Pick<SoftphoneSessionDeps, 'softphoneSessions' | 'softphoneSignals'>,
  softphoneCallId: number,
  kind: SoftphoneEventKind,
  data: JsonObject,
): Promise<void> {
  await softphoneSessions.addEvent(softphoneCallId, kind, data);
  softphoneSignals.publish(softphoneCallId);
}
