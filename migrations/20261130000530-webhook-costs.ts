import { Migration } from '@mikro-orm/migrations';

/**
 * Makes a queued message cheaper for the dial that it tells of.
 *
 * Why:    a foreign key locks the row of the endpoint in every transaction that queues a message, and calls that end at the same moment then
 *         share that lock; whoever deletes an endpoint deletes its messages, and the upkeep those that came at that moment
 * Source: D15.3
 */
export class Migration20261130000530WebhookCosts extends Migration {
  override up(): void {
    this.addSql(`alter table webhook_delivery drop constraint webhook_delivery_endpoint_id_fkey`);
    // The index by key has the endpoint first too.
    this.addSql(`drop index webhook_delivery_endpoint`);
  }
}
