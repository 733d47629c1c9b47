import { sql } from 'kysely';
import { ids } from '#adapters/postgres/values.ts';
import type { ListDeps } from '../listing.ts';

/** A call that somebody at the console ended. */
export interface UserHangup {
  attemptId: number;
  /** Their display name, else the name that they sign in with. */
  by: string;
  /** In their words; empty when they gave none. */
  reason: string;
}

/** Who of the users ended which call: the switch and the runtime know only that it was none of the parties. */
export function readUserHangups({ db }: ListDeps, attemptIds: readonly number[]): Promise<UserHangup[]> {
  return db.rows(sql<UserHangup>`
    select distinct on (e.attempt_id) e.attempt_id, coalesce(nullif(u.display_name, ''), e.detail->>'by', '') as by, coalesce(e.detail->>'reason', '') as reason
    from runtime_event e left join app_user u on u.id = (e.detail->>'userId')::bigint
    where e.attempt_id = any(${ids(attemptIds)}) and e.type = 'supervisor.hangup'
    order by e.attempt_id, e.id`);
}
