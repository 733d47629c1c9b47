import { Migration } from '@mikro-orm/migrations';

/**
 * Stores a campaign's breaker, which is part of its actor, in its row, which is the actor's snapshot; null until it has counted something.
 *
 * Source: A7
 */
export class Migration20261125091000CampaignBreaker extends Migration {
  override up(): void {
    this.addSql(`alter table campaign add column breaker jsonb`);
  }
}
