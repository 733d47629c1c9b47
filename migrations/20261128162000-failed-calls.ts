import { Migration } from '@mikro-orm/migrations';

/**
 * Never counts an answered call as failed in the roll-ups, whatever its outcome: answered, failed and open ones add up to all attempts.
 *
 * Source: D14.2
 */
export class Migration20261128162000FailedCalls extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const IS_OPEN = `status in ('claimed','dialing','accepted','answered')`;
const IS_ANSWERED = `(status in ('answered','completed') or (answered_at is not null and status <> 'cancelled'))`;
const COLUMNS = `campaign_id, status, call_status, emotion_status, day, duration_seconds, ${IS_OPEN} as is_open, ${IS_ANSWERED} as is_answered`;

/** A statement that books closed attempts for the lists, and all attempts for their day. */
const book = (moved: string) => `
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

const APPEARED = `select ${COLUMNS}, 1 as d from new_rows where deleted_at is null`;
const VANISHED = `select ${COLUMNS}, -1 as d from old_rows where deleted_at is null`;

const STATEMENTS = [
  // Everything booked after this lock follows the new rule.
  `lock table attempt in share row exclusive mode`,
  `create or replace function tally_attempts() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then ${book(APPEARED)}
    elsif tg_op = 'DELETE' then ${book(VANISHED)}
    else ${book(`${APPEARED} union all ${VANISHED}`)}
    end if;
    return null;
  end $$`,
  `insert into attempt_day_tally (day, attempts, answered, completed, failed, active, talks, talk_seconds)
   select day, 0, 0, 0, -count(*), 0, 0, 0 from attempt
   where deleted_at is null and status in ('failed', 'outcome_unknown') and answered_at is not null group by day`,
];
