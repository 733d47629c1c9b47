import { sql } from 'kysely';
import { ids } from '#platform/postgres/values.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';

/** A call that a user ended from the console. */
export interface UserHangup {
  attemptId: number;
  /** Display name of the user, else the username. */
  by: string;
  /** Reason as the user wrote it; empty when none was given. */
  reason: string;
}

/** Returns which user ended which call: switch and runtime only know that neither party did. */
export function readUserHangups({ db }: ListDeps, attemptIds: readonly number[]): Promise<UserHangup[]> {
  return db.rows(sql<UserHangup>`
    select distinct on (e.attempt_id) e.attempt_id, coalesce(nullif(u.display_name, ''), e.detail->>'by', '') as by, coalesce(e.detail->>'reason', '') as reason
    from runtime_event e left join app_user u on u.id = (e.detail->>'userId')::bigint
    where e.attempt_id = any(${ids(attemptIds)}) and e.type = 'supervisor.hangup'
    order by e.attempt_id, e.id`);
}
