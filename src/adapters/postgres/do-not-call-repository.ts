import { sql } from 'kysely';
import type { DoNotCallStore, NewDoNotCallEntry } from '#ports/do-not-call-store.ts';
import type { DoNotCallEntry } from '#ports/records.ts';
import { awaitClaims } from '#dialling/postgres/claim-barrier.ts';
import { releaseHolds } from '#dialling/postgres/contact-holds.ts';
import type { Database, Sql } from './database.ts';
import { instant } from './values.ts';

export const DO_NOT_CALL_COLUMNS = sql<DoNotCallEntry>`
  d.id, d.phone_number as "phoneNumber", d.reason, d.source, d.expires_at as "expiresAt", d.created_by as "createdBy",
  d.created_at as "createdAt", d.updated_at as "updatedAt"`;

/** Campaigns that have one number as a contact. */
const MAX_CAMPAIGNS_OF_NUMBER = 10_000;

export function doNotCallRepository(db: Database): DoNotCallStore {
  return {
    put: entry => db.transaction(inside => putEntry(inside, entry)),
    remove: entryId => db.transaction(inside => removeEntry(inside, entryId)),
  };
}

async function putEntry(inside: Sql, entry: NewDoNotCallEntry): Promise<{ before: DoNotCallEntry | null; after: DoNotCallEntry }> {
  const before = await inside.first(sql<DoNotCallEntry>`
    select ${DO_NOT_CALL_COLUMNS} from do_not_call d where d.dial_key = ${entry.dialKey} for update`);
  const after = await inside.first(sql<DoNotCallEntry>`
    insert into do_not_call as d (phone_number, dial_key, reason, source, expires_at, created_by)
    values (${entry.phoneNumber}, ${entry.dialKey}, ${entry.reason ?? ''}, ${entry.source}, ${instant(entry.expiresAt)}, ${entry.createdBy})
    on conflict (dial_key) do update set
      phone_number = excluded.phone_number, reason = coalesce(${entry.reason}::text, d.reason), source = excluded.source,
      expires_at = excluded.expires_at
    returning ${DO_NOT_CALL_COLUMNS}`);
  if (!after) throw new Error('an upsert returned no row');
  await releaseNumber(inside, entry.dialKey);
  return { before: before ?? null, after };
}

async function removeEntry(inside: Sql, entryId: number): Promise<DoNotCallEntry | null> {
  const row = await inside.first(sql<DoNotCallEntry & { dialKey: string }>`
    delete from do_not_call d where d.id = ${entryId} returning ${DO_NOT_CALL_COLUMNS}, d.dial_key as "dialKey"`);
  if (!row) return null;
  const { dialKey, ...entry } = row;
  await releaseNumber(inside, dialKey);
  return entry;
}

/** The number's contacts go back to the next claim, which decides by the entry as it is now: its end may have moved. */
async function releaseNumber(inside: Sql, dialKey: string): Promise<void> {
  const campaigns = await inside.rows(sql<{ id: number }>`
    select distinct campaign_id as id from contact where dial_key = ${dialKey} and deleted_at is null limit ${MAX_CAMPAIGNS_OF_NUMBER}`);
  await awaitClaims(
    inside,
    campaigns.map(({ id }) => id),
  );
  await releaseHolds(inside, { dialKeys: [dialKey], reasons: ['dnc'] });
}
