import { Migration } from '@mikro-orm/migrations';

/** The runtime's own times of a call, in addition to the stored ones. */
export class Migration20261123102000ReportedTimes extends Migration {
  override up(): void {
    this.addSql('alter table attempt add column reported_times jsonb');
  }
}
