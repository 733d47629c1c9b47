import { Migration } from '@mikro-orm/migrations';

/**
 * Businesses that people make: those of the configuration are marked, because only the configuration changes them.
 *
 * Why:    the next start marks the rows that are there
 * Source: D1.3
 */
export class Migration20261129003000Businesses extends Migration {
  override up(): void {
    this.addSql(`alter table business add is_configured boolean not null default false`);
  }
}
