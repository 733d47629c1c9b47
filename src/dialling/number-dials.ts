import { sql } from 'kysely';
import { MAX_CAP } from '#lines/decisions/number-rules.ts';
import { UNSENT } from '#outcomes/line-numbers.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { instant, texts } from '#platform/postgres/values.ts';
import type { NumberDial } from '#slots/slot-registry.ts';
import type { NumberCount } from './decisions/number-room.ts';
import type { DialStore } from './dial-store.ts';

/**
 * Dials of caller numbers, as caps count them: a dial that was marked, and a claim that may still be.
 *
 * Why: the small index of creation times bounds the read to about a day; no cap needs more than the newest `MAX_CAP` dials of a number
 */
export function dialsOfNumbers(db: Database): DialStore['dialsOfNumbers'] {
  return async (numbers, withinMs) => {
    if (numbers.length === 0) return [];
    const since = sql`now() - ${withinMs}::float8 * interval '1 millisecond'`;
    return db.rows(sql<NumberDial>`
      select request_id, number, at from (
        select a.request_id, a.caller_number as number, a.dialing_at as at,
          row_number() over (partition by a.caller_number order by a.dialing_at desc nulls first) as place
        from attempt a
        where a.created_at > ${since} - ${UNSENT} and a.caller_number = any(${texts(numbers)})
          and (a.dialing_at > ${since} or a.status = 'claimed')) as dial
      where place <= ${MAX_CAP}`);
  };
}

/** Dials of the last hour and since the beginning of the day (UTC ms), of numbers that have made any. */
export async function countNumbers(db: Pick<Sql, 'rows'>, numbers: readonly string[], today: number): Promise<NumberCount[]> {
  if (numbers.length === 0) return [];
  const hour = sql`now() - interval '1 hour'`;
  return db.rows(sql<NumberCount>`
    select a.caller_number as number, (count(*) filter (where a.dialing_at > ${hour}))::int as last_hour,
      (count(*) filter (where a.dialing_at >= ${instant(today)}))::int as today,
      epoch_ms((min(a.dialing_at) filter (where a.dialing_at > ${hour})) + interval '1 hour') as oldest_leaves_at
    from attempt a
    where a.created_at > least(${instant(today)}, ${hour}) - ${UNSENT} and a.caller_number = any(${texts(numbers)}) and a.dialing_at is not null
    group by a.caller_number`);
}
