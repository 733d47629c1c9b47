import { sql } from 'kysely';
import type { DayCounts, OverviewCounts, OverviewStore, TrendDay } from '#ports/overview-store.ts';
import type { Database, Sql } from './database.ts';

export function overviewRepository(db: Database): OverviewStore {
  return {
    counts: () => readCounts(db),
    trend: days => readTrend(db, days),
  };
}

/** Some dozen rows: one per status and one for today, and what was appended since the last fold. */
async function readCounts(db: Sql): Promise<OverviewCounts> {
  const row = await db.first(sql<DayCounts & Pick<OverviewCounts, 'campaigns' | 'contacts' | 'activeCalls'>>`
    select coalesce(${countsOf('campaign')}, '{}') as campaigns, coalesce(${countsOf('contact')}, '{}') as contacts,
           (select coalesce(sum(active), 0) from attempt_day_tally where active <> 0) as "activeCalls",
           coalesce(sum(attempts), 0) as attempts, coalesce(sum(answered), 0) as answered, coalesce(sum(completed), 0) as completed,
           coalesce(sum(failed), 0) as failed
    from attempt_day_tally where day = business_day()`);
  if (!row) throw new Error('an aggregate returned no row');
  const { campaigns, contacts, activeCalls, ...today } = row;
  return { campaigns, contacts, activeCalls, today };
}

function countsOf(noun: 'campaign' | 'contact') {
  return sql`(
    select jsonb_object_agg(status, total)
    from (select status, sum(delta) as total from status_tally where noun = ${noun} group by status having sum(delta) <> 0) as statuses)`;
}

function readTrend(db: Sql, days: number): Promise<TrendDay[]> {
  return db.rows(sql<TrendDay>`
    select to_char(wanted.day, 'YYYY-MM-DD') as date, coalesce(sum(t.attempts), 0) as attempts, coalesce(sum(t.answered), 0) as answered,
           coalesce(sum(t.completed), 0) as completed, coalesce(sum(t.failed), 0) as failed,
           coalesce(round(sum(t.talk_seconds) / nullif(sum(t.talks), 0), 1), 0) as "averageDurationSeconds"
    from (select business_day() - back as day from generate_series(0, ${days}::int - 1) as back) as wanted
    left join attempt_day_tally t on t.day = wanted.day
    group by wanted.day order by wanted.day`);
}
