import { Migration } from '@mikro-orm/migrations';
import { OPEN_ATTEMPT } from './fragments.ts';

/**
 * Exact totals without a scan: contacts and closed attempts for the lists, campaigns and contacts by status and attempts by business day for
 * overview and trend.
 *
 * Why:    the transaction of every change appends its deltas, so no row is contended and counts cannot drift; a sweep folds them into one row
 *         per group
 * Source: OCS 4.8, D14.2
 */
export class Migration20261129000600Counts extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

// Deltas live for seconds: their dead rows must be vacuumed at once, not when they reach a share of the table.
const CHURNING = `with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_analyze_threshold = 500)`;

const appeared = (columns: string) => `select ${columns}, 1 as d from new_rows where deleted_at is null`;
const vanished = (columns: string) => `select ${columns}, -1 as d from old_rows where deleted_at is null`;

/** The function of a table's triggers; `book` makes the statement that books rows with a sign `d`. */
const tallyFunction = (name: string, columns: string, book: (moved: string) => string) => `
  create function ${name}() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then ${book(appeared(columns))}
    elsif tg_op = 'DELETE' then ${book(vanished(columns))}
    else ${book(`${appeared(columns)} union all ${vanished(columns)}`)}
    end if;
    return null;
  end $$`;

/** The triggers of a table. Transition tables show a statement's rows at once, so an import of thousands is booked once. */
const tallyTriggers = (table: string, by: string, removedBy = by) => [
  `create trigger ${table}_tally_insert after insert on ${table} referencing new table as new_rows for each statement execute function ${by}()`,
  `create trigger ${table}_tally_update after update on ${table} referencing old table as old_rows new table as new_rows
     for each statement execute function ${by}()`,
  `create trigger ${table}_tally_delete after delete on ${table} referencing old table as old_rows for each statement execute function ${removedBy}()`,
];

const STATUSES = [
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
  `create trigger campaign_tally after insert or delete or update of status, deleted_at on campaign
     for each row execute function tally_campaigns()`,
];

/** Books contacts per campaign, and per status for the whole server. */
const bookContacts = (moved: string) => `
  with moved as (${moved}),
  of_campaigns as (
    insert into contact_tally
    select campaign_id, status, hold_reason is not null, hold_until is not null, retry_at is not null, sum(d)
    from moved group by 1, 2, 3, 4, 5 having sum(d) <> 0)
  insert into status_tally select 'contact', status, sum(d) from moved group by status having sum(d) <> 0;`;

const CONTACTS = [
  `create table contact_tally (
     campaign_id int not null, status text not null, held boolean not null, hold_ends boolean not null, retryable boolean not null,
     delta bigint not null)`,
  `create index contact_tally_campaign on contact_tally (campaign_id)`,
  tallyFunction('tally_contacts', `campaign_id, status, hold_reason, hold_until, retry_at`, bookContacts),
  ...tallyTriggers('contact', 'tally_contacts'),
];

/** A call with a result counts as answered, even if the time of the answer is unknown (D7.1). */
const IS_ANSWERED = `(status in ('answered','completed') or (answered_at is not null and status <> 'cancelled'))`;
const ATTEMPT_COLUMNS = `campaign_id, status, call_status, emotion_status, day, duration_seconds, ${OPEN_ATTEMPT} as is_open, ${IS_ANSWERED} as is_answered`;

/**
 * Books closed attempts for the lists, and all attempts for their day. Open ones are few, and lists count them directly: the progress of a
 * live call adds no row for them. An answered call never counts as failed, whatever its outcome: answered, failed and open ones add up to all
 * attempts.
 */
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
           coalesce(sum(d) filter (where status in ('failed', 'outcome_unknown') and not is_answered), 0) as failed,
           coalesce(sum(d) filter (where is_open), 0) as active,
           coalesce(sum(d) filter (where is_answered and not is_open and duration_seconds is not null), 0) as talks,
           coalesce(sum(d * duration_seconds) filter (where is_answered and not is_open), 0) as talk_seconds
    from moved group by day)
  insert into attempt_day_tally (day, attempts, answered, completed, failed, active, talks, talk_seconds)
  select * from days where (attempts, answered, completed, failed, active, talks, talk_seconds) <> (0, 0, 0, 0, 0, 0, 0);`;

const ATTEMPTS = [
  `create table attempt_tally (
     campaign_id int not null, status text not null, call_status text, emotion_status text not null, delta bigint not null)`,
  `create index attempt_tally_campaign on attempt_tally (campaign_id)`,
  `create table attempt_day_tally (
     day date not null, attempts bigint not null, answered bigint not null, completed bigint not null, failed bigint not null,
     active bigint not null, talks bigint not null, talk_seconds bigint not null) ${CHURNING}`,
  `create index attempt_day_tally_day on attempt_day_tally (day)`,
  `create index attempt_day_tally_active on attempt_day_tally (active) where active <> 0`,
  tallyFunction('tally_attempts', ATTEMPT_COLUMNS, bookAttempts),
  // A row that retention removes leaves the totals of the lists. Overview and trend count the calls that were made, whether their records
  // still exist or not (D8.7).
  `create function tally_removed_attempts() returns trigger language plpgsql as $$
   begin
     insert into attempt_tally select campaign_id, status, call_status, emotion_status, -count(*) from old_rows
     where deleted_at is null and not (${OPEN_ATTEMPT}) group by 1, 2, 3, 4;
     return null;
   end $$`,
  ...tallyTriggers('attempt', 'tally_attempts', 'tally_removed_attempts'),
];

const STATEMENTS = [...STATUSES, ...CONTACTS, ...ATTEMPTS];
