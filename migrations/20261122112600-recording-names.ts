import { Migration } from '@mikro-orm/migrations';

/**
 * Stores a recording by its short file name only, whichever program writes the row.
 *
 * Source: OCS 4.16
 */
export class Migration20261122112600RecordingNames extends Migration {
  override up(): void {
    for (const table of TABLES) {
      this.addSql(
        `update ${table} set recording_url = nullif(regexp_replace(recording_url, '^.*[/\\\\]', ''), '') where recording_url ~ '[/\\\\]'`,
      );
      this.addSql(`alter table ${table} add constraint ${table}_recording_is_name check (recording_url !~ '[/\\\\]')`);
    }
  }
}

const TABLES = ['attempt', 'softphone_call', 'conference_session'];
