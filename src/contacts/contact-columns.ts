import { type RawBuilder, sql } from 'kysely';
import { contact, type Contact } from './contact.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import type { Table } from '#platform/postgres/listing.ts';

/** Columns; the table's alias is `k`. A pending contact that waits for a retry is on hold until its retry time. Source: D5.5 */
export const CONTACT_COLUMNS = sql<Contact>`
  ${columnsOf(contact.omit({ retryAt: true }), 'k')}, case when k.hold_reason = 'retry_wait' then k.hold_until else k.retry_at end as retry_at`;

export const CONTACT_TABLE = {
  columns: CONTACT_COLUMNS,
  from: sql`contact k`,
  id: sql`k.id`,
  exists: sql`k.deleted_at is null`,
} satisfies Table<unknown>;

/** Whether the call with alias `s` is open; must match the partial indexes literally, else the planner does not use them. */
export const SOFTPHONE_OPEN: RawBuilder<boolean> = sql`s.status in ('created','ringing','dialing','answered')`;
