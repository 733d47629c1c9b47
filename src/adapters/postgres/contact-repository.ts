import { type RawBuilder, sql } from 'kysely';
import type { ContactQuery, ContactStore, ContactUpdate } from '#ports/contact-store.ts';
import type { Contact, Page } from '#ports/records.ts';
import { CONTACT_COLUMNS } from './contact-columns.ts';
import { editContacts, removeContact, updateContact } from './contact-edits.ts';
import { insertContacts } from './contact-insert.ts';
import { tallySum } from './contact-tally.ts';
import type { Database, Sql } from './database.ts';
import { isUniqueViolation } from './failures.ts';
import { anywhere } from './search.ts';
import { texts } from './values.ts';

export function contactRepository(db: Database): ContactStore {
  return {
    list: (campaignId, query) => listContacts(db, campaignId, query),
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

/** The page's ids come from an index alone (without a search); only the rows of the page are read. */
async function listContacts(db: Sql, campaignId: number, query: ContactQuery): Promise<Page<Contact>> {
  const { page, pageSize } = query;
  const total = await countContacts(db, campaignId, query);
  const offset = (page - 1) * pageSize;
  if (offset >= total) return { rows: [], page, pageSize, total };
  const rows = await db.rows(sql<Contact>`
    select ${CONTACT_COLUMNS} from contact k
    join (select k.id from contact k where ${contactFilter(campaignId, query)} order by k.id desc limit ${pageSize} offset ${offset}) as page
      on page.id = k.id
    order by k.id desc`);
  return { rows, page, pageSize, total };
}

/** Without a search the tally knows; a search has to look. */
export async function countContacts(db: Sql, campaignId: number, query: Pick<ContactQuery, 'q' | 'status'>): Promise<number> {
  const ofStatus = query.status === null ? sql`true` : sql`status = ${query.status}`;
  const count =
    query.q === ''
      ? tallySum(sql`${campaignId}::int`, ofStatus)
      : sql`(select count(*) from contact k where ${contactFilter(campaignId, query)})`;
  const row = await db.first(sql<{ total: number }>`select ${count} as total`);
  return row?.total ?? 0;
}

/** Which contacts of a campaign; the table's alias is `k`. */
export function contactFilter(campaignId: number, { q, status }: Pick<ContactQuery, 'q' | 'status'>): RawBuilder<unknown> {
  const conditions = [sql`k.campaign_id = ${campaignId} and k.deleted_at is null`];
  if (status !== null) conditions.push(sql`k.status = ${status}`);
  if (q !== '') {
    const pattern = anywhere(q);
    conditions.push(sql`(k.phone_number ilike ${pattern} or k.customer_name ilike ${pattern} or k.remark ilike ${pattern})`);
  }
  return sql.join(conditions, sql` and `);
}

async function unlessNumberTaken(work: () => Promise<ContactUpdate>): Promise<ContactUpdate> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'contact_unique')) return { kind: 'number_taken' };
    throw error;
  }
}
