import { Migration } from '@mikro-orm/migrations';

/**
 * How long a campaign keeps its recordings.
 *
 * Why:    recordings that are too old are found campaign by campaign, so the index that finds them begins with the campaign
 * Source: D7.21
 */
export class Migration20261130001010RecordingRetention extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter table campaign add recording_days int check (recording_days between 0 and 36500)`,
  // A trigger of its own: the list of columns of the other one belongs to whoever adds to it.
  `create trigger campaign_touch_recordings before update of recording_days on campaign for each row execute function touch_row()`,
  `create index attempt_recording_of_campaign on attempt (campaign_id, created_at) where recording_url is not null`,
  `drop index attempt_recording_kept`,
];
