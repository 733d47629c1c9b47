import { Migration } from '@mikro-orm/migrations';

/**
 * Index for answered calls without a result, and the campaign setting that redials them.
 *
 * Source: D7.8
 */
export class Migration20261123090000MissingResults extends Migration {
  override up(): void {
    this.addSql('alter table campaign add column retry_answered_without_result boolean not null default false');
    this.addSql(`create index attempt_result_missing on attempt (campaign_id, id) where status = 'completed' and result_at is null`);
  }
}
