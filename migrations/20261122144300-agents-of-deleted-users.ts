import { Migration } from '@mikro-orm/migrations';

/**
 * Unlinks agents from deleted users.
 *
 * Source: D12.1 "One agent per user"
 */
export class Migration20261122144300AgentsOfDeletedUsers extends Migration {
  override up(): void {
    this.addSql('update agent set user_id = null where user_id in (select id from app_user where deleted_at is not null)');
  }
}
