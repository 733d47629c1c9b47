import { Migration } from '@mikro-orm/migrations';

/**
 * Index for the hold of a campaign that ends first.
 *
 * Source: D5.1 `nextWakeAt`, D7.10
 */
export class Migration20261128161000HoldsOfACampaign extends Migration {
  override up(): void {
    this.addSql(`
      create index contact_held_until on contact (campaign_id, hold_until)
      where hold_reason is not null and hold_until is not null and deleted_at is null`);
  }
}
