import { sql } from 'kysely';
import type { Contact } from '#contacts/contact.ts';
import type { DoNotCallEntry } from '#do-not-call/do-not-call.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import type { ListDeps, Table } from '#platform/postgres/listing.ts';
import { DO_NOT_CALL_TABLE } from '#do-not-call/do-not-call-store.ts';
import { CONTACT_TABLE } from '#contacts/contact-store.ts';

/** The person behind a number, in whatever format it is written. */
export interface Person {
  /** Normalised number for comparisons. */
  dialKey: string;
}

/** Most contacts listed: one number is rarely in more campaigns. */
const MAX_CONTACTS = 200;

/** Errors: none; an unknown number is a person without contacts */
export function personOf(number: string, region: Region): Person {
  return { dialKey: dialKey(number, region) };
}

/** Returns the person's contacts in all campaigns, newest first. */
export function contactsOfPerson({ db }: ListDeps, person: Person): Promise<Contact[]> {
  const { columns, from, exists }: Table<Contact> = CONTACT_TABLE;
  return db.rows(sql<Contact>`
    select ${columns} from ${from} where k.dial_key = ${person.dialKey} and ${exists} order by k.id desc limit ${MAX_CONTACTS}`);
}

/** Returns the person's do-not-call entry, expired or not; null when there is none. Source: D8.7 */
export async function doNotCallOfPerson({ db }: ListDeps, person: Person): Promise<DoNotCallEntry | null> {
  const { columns, from }: Table<DoNotCallEntry> = DO_NOT_CALL_TABLE;
  return (await db.first(sql<DoNotCallEntry>`select ${columns} from ${from} where d.dial_key = ${person.dialKey}`)) ?? null;
}
