import { Migration } from '@mikro-orm/migrations';

/**
 * Start of a campaign's current phase; null when it began before this column existed.
 *
 * Source: D5.1
 */
export class Migration20261127090500PhaseSince extends Migration {
  override up(): void {
    this.addSql(`alter table campaign add column phase_since timestamptz(3)`);
  }
}
