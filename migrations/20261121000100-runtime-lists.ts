import { Migration } from '@mikro-orm/migrations';

/**
 * Data for lists and streams of calls and runtime events: exact totals without a scan, and a total order of changes.
 *
 * Source: OCS 4.8, 2.12; D10
 */
export class Migration20261121000100RuntimeLists extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

// Closed attempts that are not deleted, counted by the columns that lists filter on. Open ones are few and are counted directly, so the progress of
// a live call adds no row here; the trigger of the update that closes an attempt appends one row per group, and a sweep folds them.
const ATTEMPT_TALLY = [
  `create table attempt_tally (
     campaign_id int not null, status text not null, call_status text, emotion_status text not null, delta bigint not null)`,
  `create index attempt_tally_campaign on attempt_tally (campaign_id)`,
  `create function tally_attempts() returns trigger language plpgsql as $$
   begin
     if tg_op = 'INSERT' then
       insert into attempt_tally select campaign_id, status, call_status, emotion_status, count(*) from new_rows
       where deleted_at is null and status not in ('claimed','dialing','accepted','answered') group by 1, 2, 3, 4;
     elsif tg_op = 'DELETE' then
       insert into attempt_tally select campaign_id, status, call_status, emotion_status, -count(*) from old_rows
       where deleted_at is null and status not in ('claimed','dialing','accepted','answered') group by 1, 2, 3, 4;
     else
       insert into attempt_tally select campaign_id, status, call_status, emotion_status, sum(d) from (
         select campaign_id, status, call_status, emotion_status, 1 as d from new_rows
         where deleted_at is null and status not in ('claimed','dialing','accepted','answered')
         union all select campaign_id, status, call_status, emotion_status, -1 from old_rows
         where deleted_at is null and status not in ('claimed','dialing','accepted','answered')) as moved
       group by 1, 2, 3, 4 having sum(d) <> 0;
     end if;
     return null;
   end $$`,
  `create trigger attempt_tally_insert after insert on attempt referencing new table as new_rows for each statement execute function tally_attempts()`,
  `create trigger attempt_tally_update after update on attempt referencing old table as old_rows new table as new_rows for each statement execute function tally_attempts()`,
  `create trigger attempt_tally_delete after delete on attempt referencing old table as old_rows for each statement execute function tally_attempts()`,
  `insert into attempt_tally select campaign_id, status, call_status, emotion_status, count(*) from attempt
   where deleted_at is null and status not in ('claimed','dialing','accepted','answered') group by 1, 2, 3, 4`,
];

// Acknowledgements share one sequence with the events (D10), so that the stream replays both in order.
const RUNTIME_EVENTS = [
  `alter table runtime_event add column acknowledged_seq bigint unique`,
  `update runtime_event set acknowledged_seq = nextval(pg_get_serial_sequence('runtime_event', 'id')) where acknowledged_at is not null`,
];

const BATCHES = [`create index batch_finished on batch (finished_at) where finished_at is not null`];

const STATEMENTS = [...ATTEMPT_TALLY, ...RUNTIME_EVENTS, ...BATCHES];
