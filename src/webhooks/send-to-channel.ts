import { sql } from 'kysely';
import { notFound } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import type { PeopleMessage } from './decisions/people-message.ts';

const MAX_TITLE_LENGTH = 200;
const MAX_TEXT_LENGTH = 20_000;

/**
 * Queues a message to one endpoint, whatever it subscribes to: a scheduled report, for people or for a program (`report.ready`). It is tried
 * for 72 h like any other; an endpoint that is disabled takes none.
 *
 * Shape:  the id of the delivery
 * Errors: NOT_FOUND
 * Source: D15.6
 */
export async function sendToChannel(
  { db, ids }: { db: Pick<Sql, 'first'>; ids: IdSource },
  endpointId: number,
  { title, text, link }: PeopleMessage,
): Promise<number> {
  const subject = { title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed(), text: text.slice(0, MAX_TEXT_LENGTH).toWellFormed(), link };
  const row = await db.first(sql<{ id: number }>`
    insert into webhook_delivery (endpoint_id, type, key, subject)
    select id, 'report.ready', ${`report:${ids()}`}, ${json(subject)} from webhook_endpoint where id = ${endpointId} and status <> 'disabled'
    returning id`);
  if (row === undefined) throw notFound('推送端点');
  return row.id;
}
