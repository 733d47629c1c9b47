import { sql } from 'kysely';
import { conflict } from '#kernel/errors.ts';
import type { ContactStore } from './ports-contact-store.ts';
import { editContacts, removeContact, updateContact } from './contact-edits.ts';
import { insertContacts } from './contact-insert.ts';
import { ContactTotals } from './contact-totals.ts';
import type { Database } from '#platform/postgres/database.ts';
import { unlessTaken } from '#platform/postgres/failures.ts';
import { texts } from '#platform/postgres/values.ts';

export function contactRepository(db: Database): ContactStore {
  const totals = new ContactTotals(db);
  return {
    count: (campaignIds, search) => totals.count(campaignIds, search),
    add: (campaignId, contacts, admission) => db.transaction(tx => insertContacts(tx, campaignId, contacts, admission)),
    async existingKeys(campaignId, dialKeys) {
      const rows = await db.rows(sql<{ dialKey: string }>`
        select dial_key from contact
        where campaign_id = ${campaignId} and dial_key = any(${texts(dialKeys)}) and deleted_at is null and not is_repeat`);
      return new Set(rows.map(row => row.dialKey));
    },
    update: (campaignId, contactId, change) =>
      unlessTaken('contact_unique', NUMBER_TAKEN, () => db.transaction(tx => updateContact(tx, { campaignId, contactId }, change))),
    removeOne: (campaignId, contactId, admit) => db.transaction(tx => removeContact(tx, { campaignId, contactId }, admit)),
    pause: (campaignId, contactIds, admit) =>
      db.transaction(tx =>
        editContacts(tx, { campaignId, contactIds }, { admit, which: sql`k.status <> 'paused'`, set: sql`status = 'paused'` }),
      ),
    remove: (campaignId, contactIds, admit) =>
      db.transaction(tx => editContacts(tx, { campaignId, contactIds }, { admit, which: sql`true`, set: sql`deleted_at = now()` })),
  };
}

const NUMBER_TAKEN = () => conflict('NUMBER_TAKEN', '该号码已在活动中', 'phoneNumber');
