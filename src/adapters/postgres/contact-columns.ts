import { sql } from 'kysely';
import { contact, type Contact } from '#model/contact.ts';
import { columnsOf } from './columns-of.ts';

/** Of the table with alias `k`. Whoever is pending and waits for a retry is held until then: that is when the retry comes. Source: D5.5 */
export const CONTACT_COLUMNS = sql<Contact>`
  ${columnsOf(contact.omit({ retryAt: true }), 'k')}, case when k.hold_reason = 'retry_wait' then k.hold_until else k.retry_at end as retry_at`;
