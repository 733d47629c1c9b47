import { type RawBuilder, sql } from 'kysely';
import type { ContactQuery, ContactStore, ContactUpdate } from '#ports/contact-store.ts';
import type { Contact, Page } from '#ports/records.ts';
import { CONTACT_COLUMNS } from './contact-columns.ts';
import { editContacts, removeContact, updateContact } from './contact-edits.ts';
import { insertContacts } from './contact-insert.ts';
import { ContactTotals } from './contact-totals.ts';
import type { Database } from './database.ts';
import { isUniqueViolation } from './failures.ts';
import { texts } from './values.ts';

export function contactRepository(db: Database): ContactStore {
  const totals = new ContactTotals(db);
  return {
    async list(campaignId, query) {
      const [total = 0] = await totals.count([campaignId], query);
      return listContacts(db, { campaignId, total }, query);
    },
    add: (campaignId, contacts, admission) => db.transaction(tx => insertContacts(tx, campaignId, contacts, admission)),
    async existingKeys(campaignId, numberKeys) {
      const rows = await db.rows(sql<{ numberKey: string }>`
        select number_key as "numberKey" from contact
        where campaign_id = ${campaignId} and number_key = any(${texts(numberKeys)}) and deleted_at is null`);
      return new Set(rows.map(({ numberKey }) => numberKey));
    },
    update: (campaignId, contactId, change) =>
      unlessNumberTaken(() => db.transaction(tx => updateContact(tx, { campaignId, contactId }, change))),
    removeOne: (campaignId, contactId, admit) => db.transaction(tx => removeContact(tx, { campaignId, contactId }, admit)),
    pause: (campaignId, contactIds, admit) =>
      db.transaction(tx =>
        editContacts(tx, { campaignId, contactIds }, { admit, which: sql`k.status <> 'paused'`, set: sql`status = 'paused'` }),
      ),
    remove: (campaignId, contactIds, admit) =>
      db.transaction(tx => editContacts(tx, { campaignId, contactIds }, { admit, which: sql`true`, set: sql`deleted_at = now()` })),
  };
}

/** The page's ids come from an index alone; only the rows of the page are read. */
async function listContacts(
  db: Database,
  { campaignId, total }: { campaignId: number; total: number },
  query: ContactQuery,
): Promise<Page<Contact>> {
  const { page, pageSize } = query;
  const offset = (page - 1) * pageSize;
  if (offset >= total) return { rows: [], page, pageSize, total };
  const isWalked = meetsSoon(query.q, { total, reach: offset + pageSize });
  const rows = await db.rows(sql<Contact>`
    select ${CONTACT_COLUMNS} from contact k
    join (select m.id from (${matchingIds(sql`${campaignId}::int`, query, { isWalked })}) as m order by m.id desc limit ${pageSize} offset ${offset}) as page
      on page.id = k.id
    order by k.id desc`);
  return { rows, page, pageSize, total };
}

/** More matches than this are met soon enough on the way from the newest contact, wherever the page is. */
const DENSE = 50_000;
/** So are fewer, when the page ends within this share of them. */
const FAIRLY_DENSE = 5_000;
const NEAR_SHARE = 0.1;

/**
 * Whether the way through the contacts in order soon meets enough of the `total` that match, for a page that ends with the `reach`-th.
 *
 * Why: few matches come from the search index and are sorted; many are met by walking in order, the search entries or, with a status, the
 *      contacts
 */
export function meetsSoon(q: string, { total, reach }: { total: number; reach: number }): boolean {
  return q === '' || total > DENSE || (total > FAIRLY_DENSE && reach <= total * NEAR_SHARE);
}

/** A query of the ids of matching contacts; of the campaign whose id the expression `campaignId`, an int, gives. */
export function matchingIds(
  campaignId: RawBuilder<unknown>,
  { q, status }: Pick<ContactQuery, 'q' | 'status'>,
  { isWalked }: { isWalked: boolean },
): RawBuilder<unknown> {
  if (!isWalked) {
    return status === null
      ? sql`select f.id from found_contacts(${campaignId}, ${q}) as f (id)`
      : sql`select f.id from found_contacts(${campaignId}, ${q}, ${status}) as f (id)`;
  }
  if (q !== '' && status === null) {
    return sql`
      select s.contact_id as id from contact_search s where s.campaign_id = ${campaignId} and search_finds(s.letters, s.texts, lower(${q}))`;
  }
  const ofStatus = status === null ? sql`true` : sql`k.status = ${status}`;
  const hasText = q === '' ? sql`true` : sql`search_hit(array[k.phone_number, k.customer_name, k.remark], lower(${q}))`;
  return sql`select k.id from contact k where k.campaign_id = ${campaignId} and k.deleted_at is null and ${ofStatus} and ${hasText}`;
}

async function unlessNumberTaken(work: () => Promise<ContactUpdate>): Promise<ContactUpdate> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'contact_unique')) return { kind: 'number_taken' };
    throw error;
  }
}
