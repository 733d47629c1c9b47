import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes for expired data and for all data of one person; and the effect of deleting an attempt on the counts.
 *
 * Why:    lists count the existing rows, so a deleted attempt leaves their totals; overview and trend count the calls that were made,
 *         whether their records still exist or not
 * Source: D8.7, D14.2
 */
export class Migration20261124100000Retention extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const IS_OPEN = `status in ('claimed','dialing','accepted','answered')`;

const COUNTS = [
  `create function tally_removed_attempts() returns trigger language plpgsql as $$
   begin
     insert into attempt_tally select campaign_id, status, call_status, emotion_status, -count(*) from old_rows
     where deleted_at is null and not (${IS_OPEN}) group by 1, 2, 3, 4;
     return null;
   end $$`,
  `drop trigger attempt_tally_delete on attempt`,
  `create trigger attempt_tally_delete after delete on attempt referencing old table as old_rows for each statement execute function tally_removed_attempts()`,
];

// Expired rows are deleted in order of their ids; expired values have partial indexes, which drop a row when its value is cleared.
const AGED = [
  `create index attempt_recording_kept on attempt (created_at) where recording_url is not null`,
  `create index attempt_recognized_kept on attempt (created_at) where recognized_text is not null`,
  `create index softphone_call_recording_kept on softphone_call (created_at) where recording_url is not null`,
  `create index conference_session_recording_kept on conference_session (created_at) where recording_url is not null`,
];

const OF_A_PERSON = [
  `create index contact_deleted_number on contact (dial_key) where deleted_at is not null`,
  `create index attempt_undialled_number on attempt (dial_key) where dialing_at is null and not (${IS_OPEN})`,
  `create index softphone_call_number on softphone_call (dial_key) where dial_key <> ''`,
  // Participants called into a conference were stored as dialled, without a key.
  `create index softphone_call_joined_number on softphone_call (phone_number) where dial_key = '' and phone_number <> ''`,
  // These two also serve the foreign keys, which check each deleted row.
  `create index softphone_call_contact on softphone_call (contact_id) where contact_id is not null`,
  `create index conference_session_attempt on conference_session (attempt_id) where attempt_id is not null`,
];

const STATEMENTS = [...COUNTS, ...AGED, ...OF_A_PERSON];
