import { type RawBuilder, sql } from 'kysely';
import { listOf, type Table } from '#platform/postgres/listing.ts';
import { allOf } from '#platform/postgres/filters.ts';
import { columnsOf, instant } from '#platform/postgres/values.ts';
import { webhookDelivery, type WebhookDelivery } from './webhook.ts';

export const DELIVERY_TABLE: Table<WebhookDelivery> = {
  columns: columnsOf(webhookDelivery, 'd'),
  from: sql`webhook_delivery d`,
  id: sql`d.id`,
  exists: sql`true`,
};

export interface DeliverySearch {
  endpointId: number;
  state?: WebhookDelivery['state'] | undefined;
  type?: string | undefined;
  /** UTC ms. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The queue and the log of an endpoint, the newest first. Source: D15.3 */
export const deliveryList = listOf(DELIVERY_TABLE, matches);

function matches({ endpointId, state, type, from, to }: DeliverySearch): RawBuilder<unknown> {
  return allOf(
    sql`d.endpoint_id = ${endpointId}`,
    state !== undefined && sql`d.state = ${state}`,
    type !== undefined && sql`d.type = ${type}`,
    from !== undefined && sql`d.created_at >= ${instant(from)}`,
    to !== undefined && sql`d.created_at < ${instant(to)}`,
  );
}
