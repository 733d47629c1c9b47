import { Migration } from '@mikro-orm/migrations';

/** The runtime's times, beside the switch's that stand. */
export class Migration20261123102000ReportedTimes extends Migration {
  override up(): void {
    this.addSql('alter table attempt add column reported_times jsonb');
  }
}
