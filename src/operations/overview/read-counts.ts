import { sql } from 'kysely';
import type { CampaignStatus } from '#rules/campaign-bounds.ts';
import type { ContactStatus } from '#model/contact.ts';
import type { ListDeps } from '../listing.ts';

export interface OverviewCounts {
  /** Absent statuses have no row. */
  campaigns: Partial<Record<CampaignStatus, number>>;
  contacts: Partial<Record<ContactStatus, number>>;
  today: DayCounts;
  /** Attempts that are not closed, of any day. */
  activeCalls: number;
}

/** Attempts of one business day; an attempt stays in the day in which it was claimed. */
export interface DayCounts {
  /** All but those that were withdrawn before they were dialled. */
  attempts: number;
  answered: number;
  completed: number;
  /** Closed without an answer, or without anybody knowing how. */
  failed: number;
}

export interface TrendDay extends DayCounts {
  /** `2026-11-22`. */
  date: string;
  /** Of answered calls whose duration is known; 0 without any. */
  averageDurationSeconds: number;
}

/**
 * All of them at one instant. Deleted campaigns, contacts and attempts do not count.
 *
 * Why:    some dozen rows of roll-ups that every change keeps in its own transaction: never a scan over contacts or attempts
 * Errors: DATABASE_UNAVAILABLE
 * Source: D14.2
 */
export async function readCounts({ db }: ListDeps): Promise<OverviewCounts> {
  const row = await db.first(sql<DayCounts & Pick<OverviewCounts, 'campaigns' | 'contacts' | 'activeCalls'>>`
    select coalesce(${countsOf('campaign')}, '{}') as campaigns, coalesce(${countsOf('contact')}, '{}') as contacts,
           (select coalesce(sum(active), 0) from attempt_day_tally where active <> 0) as active_calls,
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

/**
 * One row for each of the last `days` business days, the oldest first, today last; days without calls included.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: OCS 4.1, D14.2
 */
export function getTrend({ db }: ListDeps, days: number): Promise<TrendDay[]> {
  return db.rows(sql<TrendDay>`
    select to_char(wanted.day, 'YYYY-MM-DD') as date, coalesce(sum(t.attempts), 0) as attempts, coalesce(sum(t.answered), 0) as answered,
           coalesce(sum(t.completed), 0) as completed, coalesce(sum(t.failed), 0) as failed,
           coalesce(round(sum(t.talk_seconds) / nullif(sum(t.talks), 0), 1), 0) as average_duration_seconds
    from (select business_day() - back as day from generate_series(0, ${days}::int - 1) as back) as wanted
    left join attempt_day_tally t on t.day = wanted.day
    group by wanted.day order by wanted.day`);
}

export interface MinuteCounts {
  /** Beginning of the minute, UTC ms. */
  at: number;
  dials: number;
  answered: number;
}

/**
 * Dials by the minute in which they were claimed, the oldest first, the current minute last; minutes without dials included.
 *
 * Why:    over the block ranges of `attempt_created`: what the last minutes wrote, whatever the table holds
 * Errors: DATABASE_UNAVAILABLE
 * Source: D14.2, for the last minutes
 */
export function getRecentMinutes({ db }: ListDeps, minutes: number): Promise<MinuteCounts[]> {
  return db.rows(sql<MinuteCounts>`
    select wanted.minute as at, count(a.id)::int as dials, count(a.answered_at)::int as answered
    from generate_series(date_trunc('minute', now()) - make_interval(mins => ${minutes}::int - 1), date_trunc('minute', now()), interval '1 minute') as wanted(minute)
    left join attempt a on a.created_at >= date_trunc('minute', now()) - make_interval(mins => ${minutes}::int - 1)
      and date_trunc('minute', a.created_at) = wanted.minute and a.started_at is not null and a.deleted_at is null
    group by wanted.minute order by wanted.minute`);
}
