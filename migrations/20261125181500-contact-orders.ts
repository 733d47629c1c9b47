import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes for listing a campaign's contacts by name and by last change, so that a page is one index scan.
 *
 * Source: OCS 4.6
 */
export class Migration20261125181500ContactOrders extends Migration {
  override up(): void {
    this.addSql('create index contact_named on contact (campaign_id, customer_name, id) where deleted_at is null');
    this.addSql('create index contact_changed on contact (campaign_id, updated_at, id) where deleted_at is null');
  }
}
