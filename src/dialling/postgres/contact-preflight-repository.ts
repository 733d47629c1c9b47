import { type RawBuilder, sql } from 'kysely';
import type { CandidateQuery, PreflightCandidate, PreflightStore } from '#ports/preflight-store.ts';
import type { Database } from '#adapters/postgres/database.ts';
import { REFUSED } from './refused-attempt.ts';
import { intIds } from '#adapters/postgres/values.ts';

/** Earlier dials of one number that a decision sees. */
const MAX_RECENT_DIALS = 1_000;

export function preflightRepository(db: Database): PreflightStore {
  return {
    async heldByReason(campaignIds) {
      const rows = await db.rows(sql<{ campaignId: number; reason: string; count: number }>`
        select campaign_id as "campaignId", hold_reason as reason, count(*) as count from contact
        where campaign_id = any(${intIds(campaignIds)}) and hold_reason is not null and deleted_at is null group by campaign_id, hold_reason`);
      const held = new Map<number, Record<string, number>>();
      for (const { campaignId, reason, count } of rows) held.set(campaignId, { ...held.get(campaignId), [reason]: count });
      return held;
    },
    async candidates(asked, limit) {
      const rows = await db.rows(candidateQuery(asked, limit));
      const candidates = new Map<number, PreflightCandidate[]>();
      for (const { campaignId, isListed, listedUntil, ...candidate } of rows) {
        const others = candidates.get(campaignId) ?? [];
        candidates.set(campaignId, others);
        others.push({ ...candidate, doNotCall: isListed ? { expiresAt: listedUntil } : null });
      }
      return candidates;
    },
  };
}

type CandidateRow = Omit<PreflightCandidate, 'doNotCall'> & { campaignId: number; isListed: boolean; listedUntil: number | null };

/** Retries first, then by priority, then by id, each from its own index (D5.5). */
function candidateQuery(asked: readonly CandidateQuery[], limit: number): RawBuilder<CandidateRow> {
  const waiting = sql`k.campaign_id = asked.id and k.hold_reason is null and k.deleted_at is null`;
  const columns = sql`k.phone_number, k.dial_key, k.attempt_count`;
  const campaignIds = intIds(asked.map(({ campaignId }) => campaignId));
  const days = intIds(asked.map(({ frequencyDays }) => frequencyDays));
  return sql<CandidateRow>`
    select asked.id as "campaignId", first.phone_number as "phoneNumber", first.attempt_count as "attemptCount", d.id is not null as "isListed",
      d.expires_at as "listedUntil", case when asked.days > 0 then ${RECENT_DIALS} else '[]' end as "recentDials"
    from unnest(${campaignIds}, ${days}) as asked (id, days)
    cross join lateral (
      select * from (
        select ${columns} from contact k where ${waiting} and k.status = 'failed' and k.retry_at is not null
        order by k.retry_at, k.id limit ${limit}) as retries
      union all select * from (
        select ${columns} from contact k where ${waiting} and k.status = 'pending' order by k.priority desc, k.id limit ${limit}) as fresh
      limit ${limit}) as first
    left join do_not_call d on d.dial_key = first.dial_key`;
}

const RECENT_DIALS = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('dialledAt', epoch_ms(dial.dialing_at), 'campaignId', dial.campaign_id)), '[]')
  from (select a.dialing_at, a.campaign_id from attempt a
        where a.dial_key = first.dial_key and a.dialing_at is not null and a.dialing_at > now() - asked.days * interval '24 hours'
          and not ${REFUSED}
        order by a.dialing_at desc limit ${MAX_RECENT_DIALS}) as dial)`;
