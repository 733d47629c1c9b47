import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { ids, json, texts } from '#platform/postgres/values.ts';
import type { ContactNumber, KeyedNumber, NumberVerdict, StoredNumber } from './decisions/numbers.ts';

const SHOWN = sql`'phoneNumber', n.phone_number, 'label', n.label, 'extension', n.extension, 'verdict', n.verdict`;

/** The stored numbers of the contact with alias `k` in order; empty for a single one. */
export const ALL_NUMBERS: RawBuilder<StoredNumber[]> = sql<StoredNumber[]>`(
  select coalesce(jsonb_agg(jsonb_build_object(${SHOWN}, 'dialKey', n.dial_key) order by n.position), '[]')
  from contact_number n where n.contact_id = k.id)`;

/** Numbers of the contact with alias `k` as doors show them; a single one is kept in the contact itself. */
export const NUMBERS_COLUMN: RawBuilder<ContactNumber[]> = sql<ContactNumber[]>`case when k.has_numbers
  then (select jsonb_agg(jsonb_build_object(${SHOWN}) order by n.position) from contact_number n where n.contact_id = k.id)
  else jsonb_build_array(jsonb_build_object('phoneNumber', k.phone_number, 'label', '', 'extension', '',
    'verdict', case when k.hold_reason = 'invalid_number' then k.hold_reason end)) end`;

/**
 * Whether a contact of the campaign has the number among several.
 *
 * Why: looked up for each row by itself, by the number first: joined with many rows, or begun with the campaign, it would be read as a whole
 */
export function ownedKeys(campaignId: RawBuilder<unknown>, dialKey: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from contact_number n cross join lateral (
      select from contact k where k.id = n.contact_id and k.campaign_id = ${campaignId} and k.deleted_at is null offset 0) as owner
    where n.dial_key = ${dialKey} offset 0)`;
}

/** Takes out the numbers of contacts, which get others. */
export function takeNumbers(
  tx: Sql,
  contactIds: readonly number[],
): Promise<{ contactId: number; dialKey: string; verdict: NumberVerdict | null }[]> {
  return tx.rows(sql`delete from contact_number where contact_id = any(${ids(contactIds)}) returning contact_id, dial_key, verdict`);
}

/** Writes the numbers of contacts that have none stored. */
export async function writeNumbers(
  tx: Sql,
  contacts: readonly { contactId: number; numbers: readonly (KeyedNumber & Partial<StoredNumber>)[] }[],
): Promise<void> {
  const rows = contacts.flatMap(({ contactId, numbers }) => numbers.map((each, position) => ({ ...each, contactId, position })));
  if (rows.length === 0) return;
  await tx.run(sql`
    insert into contact_number (contact_id, dial_key, position, phone_number, label, extension, verdict)
    select "contactId", "dialKey", position, "phoneNumber", label, extension, verdict
    from jsonb_to_recordset(${json(rows)}) as n("contactId" bigint, "dialKey" text, position int, "phoneNumber" text, label text,
      extension text, verdict text)`);
}

/** Writes the numbers of new contacts; `idOf`: by the key of the number to dial first, without contacts that were not added. */
export function writeNumbersOf(
  tx: Sql,
  idOf: ReadonlyMap<string, number>,
  contacts: readonly { dialKey: string; numbers: readonly KeyedNumber[] }[],
): Promise<void> {
  const added = contacts.flatMap(({ dialKey, numbers }) => {
    const contactId = idOf.get(dialKey);
    return contactId === undefined ? [] : [{ contactId, numbers }];
  });
  return writeNumbers(tx, added);
}

/** Those of the keys that a contact matching `which` has (`k`, with its campaign `c`), as its number to dial now or among several. */
async function keysOf(db: Pick<Sql, 'rows'>, dialKeys: readonly string[], which: RawBuilder<unknown>): Promise<ReadonlySet<string>> {
  const asked = texts(dialKeys);
  const rows = await db.rows(sql<{ dialKey: string }>`
    select k.dial_key from contact k join campaign c on c.id = k.campaign_id
    where k.dial_key = any(${asked}) and k.deleted_at is null and ${which}
    union
    select n.dial_key from contact_number n join contact k on k.id = n.contact_id join campaign c on c.id = k.campaign_id
    where n.dial_key = any(${asked}) and k.deleted_at is null and ${which}`);
  return new Set(rows.map(({ dialKey }) => dialKey));
}

/** Those of the keys that a contact of the campaign has. */
export function keysInCampaign(db: Pick<Sql, 'rows'>, campaignId: number, dialKeys: readonly string[]): Promise<ReadonlySet<string>> {
  return keysOf(db, dialKeys, sql`k.campaign_id = ${campaignId}`);
}

/** Those of the keys that a contact of any campaign of its business has. */
export function keysInBusiness(db: Pick<Sql, 'rows'>, campaignId: number, dialKeys: readonly string[]): Promise<ReadonlySet<string>> {
  return keysOf(
    db,
    dialKeys,
    sql`c.deleted_at is null and c.id <> ${campaignId} and c.business_code = (select business_code from campaign where id = ${campaignId})`,
  );
}

/** Those of the keys that were dialled in the last `days` × 24 h, by any campaign. */
export async function keysDialled(db: Pick<Sql, 'rows'>, dialKeys: readonly string[], days: number): Promise<ReadonlySet<string>> {
  const rows = await db.rows(sql<{ dialKey: string }>`
    select asked.dial_key from unnest(${texts(dialKeys)}) as asked (dial_key)
    where exists (select from attempt a where a.dial_key = asked.dial_key and a.dialing_at is not null
      and a.dialing_at > now() - ${days}::int * interval '24 hours')`);
  return new Set(rows.map(({ dialKey }) => dialKey));
}

/** The extension of a number among several of a contact of the campaign; '' when there is none. */
export async function findExtension(db: Pick<Sql, 'first'>, campaignId: number | null, dialKey: string): Promise<string> {
  const row = await db.first(sql<{ extension: string }>`
    select n.extension from contact_number n join contact k on k.id = n.contact_id
    where n.dial_key = ${dialKey} and k.campaign_id = ${campaignId} and k.deleted_at is null order by k.id limit 1`);
  return row?.extension ?? '';
}

/** Makes the number `n` the one to dial now of the contact `c`. */
const TAKE_NUMBER = sql`phone_number = n.phone_number, dial_key = n.dial_key, is_repeat = exists (
  select from contact o where o.campaign_id = c.campaign_id and o.dial_key = n.dial_key and o.id <> c.id and o.deleted_at is null and not o.is_repeat)`;

/** Statements by which contacts begin anew: no number has ended, and the first one is dialled. */
export function beginWithFirstNumber(contactIds: readonly number[]): RawBuilder<unknown>[] {
  return [
    sql`update contact_number set verdict = null where contact_id = any(${ids(contactIds)}) and verdict is not null`,
    sql`
    update contact c set ${TAKE_NUMBER} from contact_number n
    where c.id = any(${ids(contactIds)}) and c.has_numbers and n.contact_id = c.id and n.position = 0 and n.dial_key <> c.dial_key`,
  ];
}

/** Changes that an attempt makes to the numbers of a contact. */
export interface ContactNumberChange {
  contactId: number;
  /** Only while this is the contact's last attempt; absent: in any case. */
  attemptId?: number;
  /** The dialled number. */
  dialKey: string;
  verdict: NumberVerdict | null;
  /** The number to dial next; null: as before. */
  next: string | null;
}

/**
 * Statements that write verdicts and the numbers to dial next; none without changes.
 *
 * Why: a number that another contact of the campaign has is dialled all the same, because persons may share it; the contact then counts as a
 *      repeat of that number
 */
export function changeNumbers(changes: readonly ContactNumberChange[]): RawBuilder<unknown>[] {
  if (changes.length === 0) return [];
  const given = sql`jsonb_to_recordset(${json(changes)}) as g("contactId" bigint, "attemptId" bigint, "dialKey" text, verdict text, next text)`;
  return [
    sql`
    update contact_number n set verdict = g.verdict from ${given}
    where n.contact_id = g."contactId" and n.dial_key = g."dialKey" and n.verdict is distinct from g.verdict`,
    sql`
    update contact c set ${TAKE_NUMBER} from ${given} join contact_number n on n.contact_id = g."contactId" and n.dial_key = g.next
    where c.id = g."contactId" and c.dial_key <> n.dial_key and (g."attemptId" is null or c.last_attempt_id = g."attemptId")`,
  ];
}
