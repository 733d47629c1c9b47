import { Migration } from '@mikro-orm/migrations';

/**
 * Campaign setting that redials contacts after calls with an unknown outcome.
 *
 * Source: D7.8
 */
export class Migration20261128116000RetryUnknown extends Migration {
  override up(): void {
    this.addSql('alter table campaign add column retry_unknown boolean not null default false');
  }
}
