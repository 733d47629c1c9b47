import { Migration } from '@mikro-orm/migrations';

/**
 * Calls of which nobody knows how they went: dialled again only where the campaign says so.
 *
 * Source: D7.8
 */
export class Migration20261128116000RetryUnknown extends Migration {
  override up(): void {
    this.addSql('alter table campaign add column retry_unknown boolean not null default false');
  }
}
