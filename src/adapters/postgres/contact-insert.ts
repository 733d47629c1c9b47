import { sql } from 'kysely';
import type { NewContact } from '#ports/contact-store.ts';
import type { Sql } from './database.ts';
import { json } from './values.ts';

/** Rows of one statement (OCS §8). */
const CHUNK = 1_000;

export interface InsertedContact {
  contactId: number;
  numberKey: string;
}

/**
 * Adds the contacts whose number the campaign lacks; the unique index decides, so two imports at once never make a duplicate.
 *
 * Why:    the caller has locked the campaign's row first (README "Locks")
 * Shape:  one element per added contact, in the order of `rows`; a key that comes twice is added once
 * Source: OCS 4.7 rule 1, D6.1
 */
export async function insertContacts(tx: Sql, campaignId: number, rows: readonly NewContact[]): Promise<InsertedContact[]> {
  const inserted: InsertedContact[] = [];
  for (let from = 0; from < rows.length; from += CHUNK) {
    inserted.push(...(await insertChunk(tx, campaignId, rows.slice(from, from + CHUNK))));
  }
  return inserted;
}

function insertChunk(tx: Sql, campaignId: number, rows: readonly NewContact[]): Promise<InsertedContact[]> {
  const numbered = rows.map((row, position) => ({ ...row, position }));
  return tx.rows(sql<InsertedContact>`
    with added as (
      insert into contact (campaign_id, phone_number, number_key, dial_key, customer_name, remark, metadata)
      select ${campaignId}, n."phoneNumber", n."numberKey", n."dialKey", n."customerName", n.remark, n.metadata
      from jsonb_to_recordset(${json(numbered)}) as n("phoneNumber" text, "numberKey" text, "dialKey" text, "customerName" text, remark text,
        metadata jsonb, position int)
      order by n.position
      on conflict (campaign_id, number_key) where deleted_at is null do nothing
      returning id, number_key)
    select id as "contactId", number_key as "numberKey" from added order by id`);
}
