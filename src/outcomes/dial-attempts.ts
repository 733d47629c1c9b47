import { type RawBuilder, sql } from 'kysely';
import type { CallDetails, OpenAttempt } from './outcome-store.ts';
import type { Database } from '#platform/postgres/database.ts';
import { OPEN } from '#attempts/attempt-store.ts';
import { uuids } from '#platform/postgres/values.ts';
import type { OutcomeStore } from '#outcomes/outcome-store.ts';

type AttemptReads = Pick<OutcomeStore, 'openAttempts' | 'findAttempts' | 'closedByReport' | 'loadDetails'>;

export function dialAttempts(db: Database): AttemptReads {
  return {
    openAttempts: (afterId, limit) => db.rows(attemptsWhere(sql`a.id > ${afterId} and ${OPEN} order by a.id limit ${limit}`)),
    findAttempts: requestIds => db.rows(attemptsWhere(sql`a.request_id = any(${uuids(requestIds)}) order by a.id`)),
    // Ignores calls longer than a day: the date index then avoids reading all attempts.
    closedByReport: (cellId, withinMs, limit) =>
      db.rows(
        attemptsWhere(sql`
          a.created_at > now() - interval '1 day' and a.cell_id = ${cellId} and a.status in ('completed', 'failed')
          and a.result_at > now() - ${withinMs}::float8 * interval '1 millisecond' order by a.result_at desc limit ${limit}`),
      ),
    loadDetails: requestIds =>
      db.rows(sql<CallDetails>`
        select a.request_id, a.id as attempt_id, a.batch_id, a.campaign_id, c.name as campaign_name, c.business_code, a.contact_id, a.phone_number,
          k.customer_name, coalesce(a.cell_id, '') as cell_id, a.script_id, a.script_version, c.business_config, k.metadata
        from attempt a join campaign c on c.id = a.campaign_id join contact k on k.id = a.contact_id
        where a.request_id = any(${uuids(requestIds)}) order by a.id`),
  };
}

function attemptsWhere(rest: RawBuilder<unknown>): RawBuilder<OpenAttempt> {
  return sql<OpenAttempt>`
    select a.id, a.request_id, a.campaign_id, a.contact_id, a.line_id, a.caller_number, a.cell_id, a.status,
      epoch_ms(now()) - epoch_ms(a.claimed_at) as claimed_ago_ms, epoch_ms(now()) - epoch_ms(a.dialing_at) as dialing_ago_ms,
      a.answered_at, a.heard_runtime,
      case when a.heard_runtime is null then epoch_ms(now()) - epoch_ms(coalesce(a.heard_at, a.answered_at)) end as unheard_ms,
      a.result_at is not null as has_result
    from attempt a where ${rest}`;
}
