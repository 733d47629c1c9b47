import { Migration } from '@mikro-orm/migrations';

/**
 * An index by which the promised callbacks of one campaign are counted.
 *
 * Source: D5.6, D7.12
 */
export class Migration20261129002210CallbackCounts extends Migration {
  override up(): void {
    this.addSql(`create index callback_campaign_promised on callback (campaign_id, due_at) where status = 'promised'`);
  }
}
