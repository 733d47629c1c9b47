import { Migration } from '@mikro-orm/migrations';

/**
 * The ways to what has been kept long enough, and to everything of one person; and what a deleted attempt takes out of the counts.
 *
 * Why:    lists count the rows that there are, so a deleted attempt leaves their totals; overview and trend tell how many calls there were, and a
 *         call was made whether its record is still kept or not
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

// Rows that are deleted by age are met in the order of their ids; values that are cleared have entries of their own, which go with the value.
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
  // Whom a conference has called in: kept as it was dialled, without a key.
  `create index softphone_call_joined_number on softphone_call (phone_number) where dial_key = '' and phone_number <> ''`,
  // These two are also asked by the foreign keys, for each row that is deleted.
  `create index softphone_call_contact on softphone_call (contact_id) where contact_id is not null`,
  `create index conference_session_attempt on conference_session (attempt_id) where attempt_id is not null`,
];

const STATEMENTS = [...COUNTS, ...AGED, ...OF_A_PERSON];
