import { Migration } from '@mikro-orm/migrations';

/**
 * Answered calls whose result never came: found at once, and dialled again only where the campaign says so.
 *
 * Source: D7.8
 */
export class Migration20261123090000MissingResults extends Migration {
  override up(): void {
    this.addSql('alter table campaign add column retry_answered_without_result boolean not null default false');
    this.addSql(`create index attempt_result_missing on attempt (campaign_id, id) where status = 'completed' and result_at is null`);
  }
}
