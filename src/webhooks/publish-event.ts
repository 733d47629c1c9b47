import { sql } from 'kysely';
import type { JsonObject } from '#kernel/json.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import type { WebhookEventType } from './decisions/event-catalogue.ts';

/** An event that brings its own data, in the shape of its type. */
export interface OwnEvent {
  type: Extract<WebhookEventType, 'report.ready'>;
  /** Events of one key arrive in order. */
  key: string;
  campaignId: number | null;
  data: JsonObject;
}

/**
 * Queues an event for the endpoints that subscribe to it, in the caller's transaction; for none it writes nothing. What happens to calls,
 * contacts, callbacks, runtime events and jobs is queued by the triggers of their tables.
 *
 * Source: D15.2
 */
export async function publishEvent(tx: Pick<Sql, 'rows'>, { type, key, campaignId, data }: OwnEvent): Promise<void> {
  await tx.rows(sql`select tell_webhooks(${type}, ${key}, ${campaignId}::int, null, ${json(data)})`);
}
