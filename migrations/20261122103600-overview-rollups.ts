import { Migration } from '@mikro-orm/migrations';

/**
 * Data for overview and trend: contacts and campaigns by status, attempts by business day, updated in the transaction of every change.
 *
 * Why:    changes append deltas, so no row is contended and counts cannot drift; a sweep folds them into one row per group
 * Source: D14.2
 */
export class Migration20261122103600OverviewRollups extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

// Deltas live for seconds: their dead rows must be vacuumed at once, not when they reach a share of the table.
const CHURNING = `with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_analyze_threshold = 500)`;

// The business time zone is a setting of the connection; without it the default configuration's zone applies (D1.2).
const BUSINESS_DAY = [
  `create function business_day(at timestamptz default now()) returns date language sql stable parallel safe as $$
     select (at at time zone coalesce(nullif(current_setting('callout.zone', true), ''), 'Asia/Shanghai'))::date $$`,
  // Stored once: an attempt is subtracted from the day to which it was added, even if the time zone has changed since.
  `alter table attempt add column day date`,
  // A type change rewrites the rows without firing their triggers.
  `alter table attempt alter column day type date using business_day(claimed_at)`,
  `alter table attempt alter column day set default business_day(now()), alter column day set not null`,
];

const STATUS_TALLY = [
  `create table status_tally (noun text not null, status text not null, delta bigint not null) ${CHURNING}`,
  `create index status_tally_noun on status_tally (noun)`,
  `create function tally_campaigns() returns trigger language plpgsql as $$
   begin
     insert into status_tally
     select 'campaign', status, sum(d) from (values
       (case when tg_op <> 'DELETE' and new.deleted_at is null then new.status end, 1),
       (case when tg_op <> 'INSERT' and old.deleted_at is null then old.status end, -1)) as moved (status, d)
     where status is not null group by status having sum(d) <> 0;
     return null;
   end $$`,
  `create trigger campaign_tally after insert or delete or update of status, deleted_at on campaign for each row execute function tally_campaigns()`,
  `insert into status_tally select 'campaign', status, count(*) from campaign where deleted_at is null group by status`,
];

/** A statement that books `moved` (rows with a sign `d`) per campaign, and per status for the whole server. */
const bookContacts = (moved: string) => `
  with moved as (${moved}),
  of_campaigns as (
    insert into contact_tally
    select campaign_id, status, hold_reason is not null, hold_until is not null, retry_at is not null, sum(d)
    from moved group by 1, 2, 3, 4, 5 having sum(d) <> 0)
  insert into status_tally select 'contact', status, sum(d) from moved group by status having sum(d) <> 0;`;

const CONTACT_COLUMNS = `campaign_id, status, hold_reason, hold_until, retry_at`;

/** A statement that books closed attempts for the lists, and all attempts for their day. */
const bookAttempts = (moved: string) => `
  with moved as (${moved}),
  closed as (
    insert into attempt_tally
    select campaign_id, status, call_status, emotion_status, sum(d)
    from moved where not is_open group by 1, 2, 3, 4 having sum(d) <> 0),
  days as (
    select day, coalesce(sum(d) filter (where status <> 'cancelled'), 0) as attempts,
           coalesce(sum(d) filter (where is_answered), 0) as answered,
           coalesce(sum(d) filter (where status = 'completed'), 0) as completed,
           coalesce(sum(d) filter (where status in ('failed', 'outcome_unknown')), 0) as failed,
           coalesce(sum(d) filter (where is_open), 0) as active,
           coalesce(sum(d) filter (where is_answered and not is_open and duration_seconds is not null), 0) as talks,
           coalesce(sum(d * duration_seconds) filter (where is_answered and not is_open), 0) as talk_seconds
    from moved group by day)
  insert into attempt_day_tally (day, attempts, answered, completed, failed, active, talks, talk_seconds)
  select * from days where (attempts, answered, completed, failed, active, talks, talk_seconds) <> (0, 0, 0, 0, 0, 0, 0);`;

const IS_OPEN = `status in ('claimed','dialing','accepted','answered')`;
/** A call with a result counts as answered, even if the time of the answer is unknown (D7.1). */
const IS_ANSWERED = `(status in ('answered','completed') or (answered_at is not null and status <> 'cancelled'))`;
const ATTEMPT_COLUMNS = `campaign_id, status, call_status, emotion_status, day, duration_seconds, ${IS_OPEN} as is_open, ${IS_ANSWERED} as is_answered`;

const appeared = (columns: string) => `select ${columns}, 1 as d from new_rows where deleted_at is null`;
const vanished = (columns: string) => `select ${columns}, -1 as d from old_rows where deleted_at is null`;

/** The function for a table's three triggers with transition tables. */
const tallyFunction = (name: string, columns: string, book: (moved: string) => string) => `
  create or replace function ${name}() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then ${book(appeared(columns))}
    elsif tg_op = 'DELETE' then ${book(vanished(columns))}
    else ${book(`${appeared(columns)} union all ${vanished(columns)}`)}
    end if;
    return null;
  end $$`;

const CONTACTS = [
  tallyFunction('tally_contacts', CONTACT_COLUMNS, bookContacts),
  `insert into status_tally select 'contact', status, sum(delta) from contact_tally group by status having sum(delta) <> 0`,
];

const ATTEMPTS = [
  `create table attempt_day_tally (
     day date not null, attempts bigint not null, answered bigint not null, completed bigint not null, failed bigint not null,
     active bigint not null, talks bigint not null, talk_seconds bigint not null) ${CHURNING}`,
  `create index attempt_day_tally_day on attempt_day_tally (day)`,
  `create index attempt_day_tally_active on attempt_day_tally (active) where active <> 0`,
  tallyFunction('tally_attempts', ATTEMPT_COLUMNS, bookAttempts),
  `insert into attempt_day_tally (day, attempts, answered, completed, failed, active, talks, talk_seconds)
   select day, count(*) filter (where status <> 'cancelled'), count(*) filter (where is_answered),
          count(*) filter (where status = 'completed'), count(*) filter (where status in ('failed', 'outcome_unknown')),
          count(*) filter (where is_open), count(duration_seconds) filter (where is_answered and not is_open),
          coalesce(sum(duration_seconds) filter (where is_answered and not is_open), 0)
   from (select ${ATTEMPT_COLUMNS} from attempt where deleted_at is null) as counted group by day`,
];

const STATEMENTS = [...BUSINESS_DAY, ...STATUS_TALLY, ...CONTACTS, ...ATTEMPTS];
