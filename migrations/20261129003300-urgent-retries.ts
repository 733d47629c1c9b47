import { Migration } from '@mikro-orm/migrations';

/**
 * Retries of urgent dials by their time: they keep the place of urgent dials.
 *
 * Source: D7.15
 */
export class Migration20261129003300UrgentRetries extends Migration {
  override up(): void {
    this.addSql(`create index contact_urgent_due on contact (campaign_id, retry_at, id)
      where status = 'failed' and retry_at is not null and hold_reason is null and deleted_at is null and urgency > 0`);
  }
}
