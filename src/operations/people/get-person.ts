import { sql } from 'kysely';
import type { Contact } from '#model/contact.ts';
import type { DoNotCallEntry } from '#model/do-not-call.ts';
import { dialKey, type Region } from '#rules/dial-key.ts';
import type { ListDeps, Table } from '../listing.ts';
import { TABLES } from '../tables.ts';

/** Whoever is behind a number, whichever way it is written. */
export interface Person {
  /** As numbers are compared. */
  dialKey: string;
}

/** One number is seldom in more campaigns; more are left out. */
const MAX_CONTACTS = 200;

/** Errors: none; of a number that nobody has called there is nothing */
export function personOf(number: string, region: Region): Person {
  return { dialKey: dialKey(number, region) };
}

/** Its contacts in all campaigns, newest first. */
export function contactsOfPerson({ db }: ListDeps, person: Person): Promise<Contact[]> {
  const { columns, from, exists }: Table<Contact> = TABLES.contact;
  return db.rows(sql<Contact>`
    select ${columns} from ${from} where k.dial_key = ${person.dialKey} and ${exists} order by k.id desc limit ${MAX_CONTACTS}`);
}

/** Its entry on the do-not-call list, one that has expired too; null when there is none. Source: D8.7 */
export async function doNotCallOfPerson({ db }: ListDeps, person: Person): Promise<DoNotCallEntry | null> {
  const { columns, from }: Table<DoNotCallEntry> = TABLES.doNotCallEntry;
  return (await db.first(sql<DoNotCallEntry>`select ${columns} from ${from} where d.dial_key = ${person.dialKey}`)) ?? null;
}
