import { sql } from 'kysely';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import type { ContactStatus } from '#contacts/contact.ts';
import type { Platform } from '#platform/platform.ts';

export interface OverviewCounts {
  /** A status without rows is absent. */
  campaigns: Partial<Record<CampaignStatus, number>>;
  contacts: Partial<Record<ContactStatus, number>>;
  today: DayCounts;
  /** Attempts of any day that are not closed. */
  activeCalls: number;
}

/** Attempts of one business day, counted on the day of their claim. */
export interface DayCounts {
  /** All attempts except those withdrawn before dialling. */
  attempts: number;
  answered: number;
  completed: number;
  /** Closed without a known answer; calls that were answered but not served count as `answered`. */
  failed: number;
}

export interface TrendDay extends DayCounts {
  /** Business day, such as `2026-11-22`. */
  date: string;
  /** Mean over answered calls with a known duration; 0 when there are none. */
  averageDurationSeconds: number;
}

/**
 * Reads all counts at one instant, without deleted campaigns, contacts and attempts.
 *
 * Why:    they come from a few dozen roll-up rows that every change updates in its own transaction, never from a scan of contacts or attempts
 * Errors: DATABASE_UNAVAILABLE
 * Source: D14.2
 */
export async function readCounts({ db }: Pick<Platform, 'db'>): Promise<OverviewCounts> {
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

/** Like `TrendDay`, for attempts claimed within one hour. */
export interface TrendHour extends DayCounts {
  /** Start of the hour, UTC ms. */
  at: number;
  averageDurationSeconds: number;
}

/**
 * Returns one row per business day for the last `days` days, oldest first, including today and days without calls; optionally by campaign.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: OCS 4.1, D14.2
 */
export function getTrend(app: Pick<Platform, 'db'>, days: number, campaignId: number | null = null): Promise<TrendDay[]> {
  return campaignId === null ? trendOfAll(app, days) : trendOfCampaign(app, days, campaignId);
}

function trendOfAll({ db }: Pick<Platform, 'db'>, days: number): Promise<TrendDay[]> {
  return db.rows(sql<TrendDay>`
    select to_char(wanted.day, 'YYYY-MM-DD') as date, coalesce(sum(t.attempts), 0) as attempts, coalesce(sum(t.answered), 0) as answered,
           coalesce(sum(t.completed), 0) as completed, coalesce(sum(t.failed), 0) as failed,
           coalesce(round(sum(t.talk_seconds) / nullif(sum(t.talks), 0), 1), 0) as average_duration_seconds
    from (select business_day() - back as day from generate_series(0, ${days}::int - 1) as back) as wanted
    left join attempt_day_tally t on t.day = wanted.day
    group by wanted.day order by wanted.day`);
}

/** The same counts as the roll-ups, over attempts `a`. Source: D7.1, D14.2 */
const COUNTED = sql`
  count(a.id) filter (where a.status <> 'cancelled')::int as attempts,
  count(a.id) filter (where ${isAnswered()})::int as answered,
  count(a.id) filter (where a.status = 'completed')::int as completed,
  count(a.id) filter (where a.status in ('failed', 'outcome_unknown') and not ${isAnswered()})::int as failed,
  coalesce(round(avg(a.duration_seconds) filter (where ${isAnswered()} and a.status not in ('claimed', 'dialing', 'accepted', 'answered')), 1), 0)::float8
    as average_duration_seconds`;

/** A completed call counts as answered even when the time of its answer is unknown. */
function isAnswered() {
  return sql`(a.status in ('answered', 'completed') or (a.answered_at is not null and a.status <> 'cancelled'))`;
}

/**
 * Why: the roll-ups are not kept per campaign; the campaign's attempts since the first day are read through `attempt_campaign` and the block
 *      ranges of `attempt_created`
 */
function trendOfCampaign({ db }: Pick<Platform, 'db'>, days: number, campaignId: number): Promise<TrendDay[]> {
  return db.rows(sql<TrendDay>`
    select to_char(wanted.day, 'YYYY-MM-DD') as date, ${COUNTED}
    from (select business_day() - back as day from generate_series(0, ${days}::int - 1) as back) as wanted
    left join attempt a on a.campaign_id = ${campaignId} and a.deleted_at is null and a.day = wanted.day
      and a.created_at >= now() - make_interval(days => ${days}::int + 1)
    group by wanted.day order by wanted.day`);
}

/**
 * Returns one row per hour for the last `hours` hours, oldest first, including the current one and those without calls; optionally by campaign.
 *
 * Why:    the block ranges of `attempt_created` limit the read to recent rows, whatever the size of the table
 * Errors: DATABASE_UNAVAILABLE
 * Source: D14.2, for the last hours
 */
export function getTrendHours({ db }: Pick<Platform, 'db'>, hours: number, campaignId: number | null = null): Promise<TrendHour[]> {
  const since = sql`date_trunc('hour', now()) - make_interval(hours => ${hours}::int - 1)`;
  return db.rows(sql<TrendHour>`
    select wanted.hour as at, ${COUNTED}
    from generate_series(${since}, date_trunc('hour', now()), interval '1 hour') as wanted(hour)
    left join attempt a on a.created_at >= ${since} and date_trunc('hour', a.created_at) = wanted.hour and a.deleted_at is null
      and ${campaignId === null ? sql`true` : sql`a.campaign_id = ${campaignId}`}
    group by wanted.hour order by wanted.hour`);
}

export interface MinuteCounts {
  /** Start of the minute, UTC ms. */
  at: number;
  dials: number;
  answered: number;
}

/**
 * Returns dials by the minute of their claim, oldest first, including the current minute and minutes without dials.
 *
 * Why:    the block ranges of `attempt_created` limit the read to recent rows, whatever the size of the table
 * Errors: DATABASE_UNAVAILABLE
 * Source: D14.2, for the last minutes
 */
export function getRecentMinutes({ db }: Pick<Platform, 'db'>, minutes: number): Promise<MinuteCounts[]> {
  return db.rows(sql<MinuteCounts>`
    select wanted.minute as at, count(a.id)::int as dials, count(a.answered_at)::int as answered
    from generate_series(date_trunc('minute', now()) - make_interval(mins => ${minutes}::int - 1), date_trunc('minute', now()), interval '1 minute') as wanted(minute)
    left join attempt a on a.created_at >= date_trunc('minute', now()) - make_interval(mins => ${minutes}::int - 1)
      and date_trunc('minute', a.created_at) = wanted.minute and a.started_at is not null and a.deleted_at is null
    group by wanted.minute order by wanted.minute`);
}
