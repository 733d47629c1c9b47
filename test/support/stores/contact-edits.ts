import type { ContactStore } from '#contacts/contact.ts';
import { revertAttempts } from './dial-marks.ts';
import { type DialTables, openAttemptsOf } from './dial-tables.ts';

/** Mirrors contacts/contact-edits.ts: takes back claims first, and skips contacts that are in a call. */
export function simulatedContactPause(tables: DialTables, onPaused: (contactId: number) => void): Pick<ContactStore, 'pause' | 'remove'> {
  return {
    async pause(campaignId, contactIds, admit) {
      const campaign = tables.campaigns.get(campaignId);
      if (!campaign) return null;
      admit(campaign);
      const found = contactIds.flatMap(contactId => tables.contacts.get(contactId) ?? []);
      const chosen = found.filter(contact => contact.campaignId === campaignId && contact.status !== 'paused');
      const ids = new Set(chosen.map(({ id }) => id));
      const withdrawn = revertAttempts(
        tables,
        ({ contactId, status }) => ids.has(contactId) && status === 'claimed',
        '联系人在拨出前已变更',
      );
      const busy = new Set(openAttemptsOf(tables, ({ contactId }) => ids.has(contactId)).map(({ contactId }) => contactId));
      const free = chosen.filter(({ id }) => !busy.has(id));
      for (const contact of free) {
        contact.status = 'paused';
        onPaused(contact.id);
      }
      return { affectedIds: free.map(({ id }) => id), withdrawn };
    },
    remove: () => Promise.reject(new Error('deletions are not simulated')),
  };
}
