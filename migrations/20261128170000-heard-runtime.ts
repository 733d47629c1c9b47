import { Migration } from '@mikro-orm/migrations';

/**
 * Stores which runtime the customer of a live call hears, and when that changed last: the live state is lost with the cache.
 *
 * Source: D7.11, I9
 */
export class Migration20261128170000HeardRuntime extends Migration {
  override up(): void {
    this.addSql(`alter table attempt add column heard_runtime text, add column heard_at timestamptz(3)`);
  }
}
