import { Migration } from '@mikro-orm/migrations';

/**
 * Since when a campaign does or waits for what its phase says; null: since before this was kept.
 *
 * Source: D5.1
 */
export class Migration20261127090500PhaseSince extends Migration {
  override up(): void {
    this.addSql(`alter table campaign add column phase_since timestamptz(3)`);
  }
}
