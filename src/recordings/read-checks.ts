import { sql } from 'kysely';
import type { RecordingState } from '#attempts/attempt.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';

/** What looks at a call's recording have found. */
export interface RecordingCheck {
  attemptId: number;
  state: Exclude<RecordingState, 'none'>;
  talkSeconds: number | null;
  recordedSeconds: number | null;
  quietShare: number | null;
  /** UTC ms. */
  checkedAt: number | null;
}

/** Reads the checks of calls; a call that was never to be checked has none. */
export function readChecks({ db }: { db: Sql }, attemptIds: readonly number[]): Promise<RecordingCheck[]> {
  return db.rows(sql<RecordingCheck>`
    select attempt_id, state, talk_seconds, recorded_seconds, quiet_share, checked_at from recording_check where attempt_id = any(${ids(attemptIds)})`);
}
