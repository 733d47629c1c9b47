import { Migration } from '@mikro-orm/migrations';

/**
 * A campaign's breaker is part of its actor, and its row is the actor's snapshot; null: it has counted nothing yet.
 *
 * Source: A7
 */
export class Migration20261125091000CampaignBreaker extends Migration {
  override up(): void {
    this.addSql(`alter table campaign add column breaker jsonb`);
  }
}
