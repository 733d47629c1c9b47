import { Migration } from '@mikro-orm/migrations';

/**
 * Contacts of a campaign by their name, and by their last change: a slice is walked in its index.
 *
 * Source: OCS 4.6
 */
export class Migration20261125181500ContactOrders extends Migration {
  override up(): void {
    this.addSql('create index contact_named on contact (campaign_id, customer_name, id) where deleted_at is null');
    this.addSql('create index contact_changed on contact (campaign_id, updated_at, id) where deleted_at is null');
  }
}
