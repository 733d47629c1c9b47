import { type RawBuilder, sql } from 'kysely';
import type { PreflightCandidate, PreflightStore } from '#ports/preflight-store.ts';
import type { Database } from './database.ts';

/** Earlier dials of one number that a decision sees. */
const MAX_RECENT_DIALS = 1_000;

export function preflightRepository(db: Database): PreflightStore {
  return {
    async heldByReason(campaignId) {
      const rows = await db.rows(sql<{ reason: string; count: number }>`
        select hold_reason as reason, count(*) as count from contact
        where campaign_id = ${campaignId} and hold_reason is not null and deleted_at is null group by hold_reason`);
      return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
    },
    async candidates(campaignId, { limit, frequencyDays }) {
      const rows = await db.rows(candidateQuery(campaignId, limit, frequencyDays));
      return rows.map(({ isListed, listedUntil, ...candidate }) => ({
        ...candidate,
        doNotCall: isListed ? { expiresAt: listedUntil } : null,
      }));
    },
  };
}

type CandidateRow = Omit<PreflightCandidate, 'doNotCall'> & { isListed: boolean; listedUntil: number | null };

/** Retries first, then by priority, then by id, each from its own index (D5.5). */
function candidateQuery(campaignId: number, limit: number, frequencyDays: number): RawBuilder<CandidateRow> {
  const waiting = sql`k.campaign_id = ${campaignId} and k.hold_reason is null and k.deleted_at is null`;
  const columns = sql`k.phone_number, k.dial_key, k.attempt_count`;
  return sql<CandidateRow>`
    with retries as (
      select ${columns} from contact k where ${waiting} and k.status = 'failed' and k.retry_at is not null order by k.retry_at, k.id limit ${limit}),
    fresh as (
      select ${columns} from contact k where ${waiting} and k.status = 'pending' order by k.priority desc, k.id limit ${limit}),
    first as (select * from retries union all select * from fresh limit ${limit})
    select first.phone_number as "phoneNumber", first.attempt_count as "attemptCount", d.id is not null as "isListed",
      d.expires_at as "listedUntil", ${frequencyDays > 0 ? recentDials(frequencyDays) : sql`'[]'::jsonb`} as "recentDials"
    from first left join do_not_call d on d.dial_key = first.dial_key`;
}

function recentDials(days: number): RawBuilder<unknown> {
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('dialledAt', epoch_ms(dial.dialing_at), 'campaignId', dial.campaign_id)), '[]')
    from (select a.dialing_at, a.campaign_id from attempt a
          where a.dial_key = first.dial_key and a.dialing_at is not null and a.dialing_at > now() - ${days}::int * interval '24 hours'
          order by a.dialing_at desc limit ${MAX_RECENT_DIALS}) as dial)`;
}
