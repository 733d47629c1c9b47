import { sql } from 'kysely';
import type { ContactAdmission, NewContact } from './ports-contact-store.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';

/** Source: OCS 4.7 rule 1 */
const INSERT_BATCH_ROWS = 1_000;

/**
 * Adds contacts in order under the campaign's lock and returns the new dial keys; null when the campaign does not exist.
 *
 * Why:    contacts are dialled in order of id (D5.5), so ids must follow the order of the file
 * Source: OCS 4.7, D6.1
 */
export async function insertContacts(
  tx: Sql,
  campaignId: number,
  contacts: readonly NewContact[],
  { admit, holdsStatus }: ContactAdmission,
): Promise<ReadonlySet<string> | null> {
  const campaign = await lockCampaign(tx, campaignId, holdsStatus);
  if (campaign === null) return null;
  admit(campaign);
  const created = new Set<string>();
  for (let start = 0; start < contacts.length; start += INSERT_BATCH_ROWS) {
    for (const key of await insertBatch(tx, campaignId, contacts.slice(start, start + INSERT_BATCH_ROWS))) created.add(key);
  }
  return created;
}

/**
 * Locks the campaign's row: with `holdsStatus` against any change, otherwise only against deletion and the move to `completed`.
 *
 * Why: pasting contacts must neither wait for the dispatch of a running campaign nor delay it
 */
export async function lockCampaign(tx: Sql, campaignId: number, holdsStatus: boolean): Promise<Pick<Campaign, 'id' | 'status'> | null> {
  const strength = holdsStatus ? sql`for no key update` : sql`for key share`;
  const row = await tx.first(sql<Pick<Campaign, 'id' | 'status'>>`
    select id, status from campaign where id = ${campaignId} and deleted_at is null ${strength}`);
  return row ?? null;
}

async function insertBatch(tx: Sql, campaignId: number, contacts: readonly NewContact[]): Promise<string[]> {
  const rows = await tx.rows(sql<{ dialKey: string }>`
    insert into contact (campaign_id, phone_number, dial_key, customer_name, remark, metadata)
    select ${campaignId}::int, row.* from (
      select phone_number, dial_key, customer_name, remark, metadata
      from rows from (jsonb_to_recordset(${json(contacts)}) as
        ("phoneNumber" text, "dialKey" text, "customerName" text, remark text, metadata jsonb))
        with ordinality as given (phone_number, dial_key, customer_name, remark, metadata, position)
      order by position) as row
    on conflict (campaign_id, dial_key) where deleted_at is null and not is_repeat do nothing
    returning dial_key`);
  return rows.map(row => row.dialKey);
}
