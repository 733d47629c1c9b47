import { sql } from 'kysely';
import { TEXT_COLUMNS } from '#contacts/contact-store.ts';
import type { NewContact } from '#contacts/contact.ts';
import type { ImportRow } from '#contacts/import-result.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json, texts } from '#platform/postgres/values.ts';
import type { ListKind } from './contact-list.ts';
import { type ImportCounts, NO_ROWS } from './import-counts.ts';
import { givenRows, type Standing, standingInList } from './known-rows.ts';
import type { RowsToWrite } from './write-campaign-rows.ts';

/** A list whose next version is being written. */
export interface ListInWriting {
  id: number;
  name: string;
  kind: ListKind;
  version: number;
}

/**
 * Writes rows of the next version: new ones, and those that differ from the version before, which stays as it was.
 *
 * Source: D6.9
 */
export async function writeListRows(tx: Sql, list: ListInWriting, { rows, createdBy }: RowsToWrite): Promise<ImportCounts> {
  const contacts = list.kind === 'do_not_call' ? rows.flatMap(eachNumber) : rows.map(({ contact }) => contact);
  const standings = await standingInList(tx, list.id, contacts);
  const of = (standing: Standing) => contacts.filter((_, index) => standings[index] === standing);
  const changed = of('changed');
  await endRows(tx, list, changed);
  const toWrite = contacts.filter((_, index) => standings[index] === 'new' || standings[index] === 'changed');
  const written = await insertRows(tx, list, toWrite);
  if (list.kind === 'do_not_call') await forbidNumbers(tx, list, toWrite, createdBy);
  return {
    ...NO_ROWS,
    totalRows: contacts.length,
    createdRows: written - changed.length,
    updatedRows: changed.length,
    unchangedRows: of('same').length,
    leftOut: { ...NO_ROWS.leftOut, known: of('known').length + toWrite.length - written },
  };
}

/** A do-not-call list has one row for each number of a person, so that a look-up by number finds every list that has it. */
function eachNumber({ contact }: ImportRow): NewContact[] {
  const { numbers, ...person } = contact;
  if (numbers.length === 0) return [contact];
  return numbers.map(({ phoneNumber, dialKey }, index) => ({
    ...person,
    phoneNumber,
    dialKey,
    externalId: index === 0 ? person.externalId : '',
    numbers: [],
  }));
}

async function endRows(tx: Sql, { id, version }: ListInWriting, contacts: readonly NewContact[]): Promise<void> {
  if (contacts.length === 0) return;
  await tx.run(sql`
    update contact_list_row set gone_version = ${version}
    where list_id = ${id} and external_id = any(${texts(contacts.map(({ externalId }) => externalId))}) and external_id <> '' and gone_version is null`);
}

async function insertRows(tx: Sql, { id, version }: ListInWriting, contacts: readonly NewContact[]): Promise<number> {
  if (contacts.length === 0) return 0;
  return tx.run(sql`
    insert into contact_list_row (list_id, since_version, phone_number, dial_key, ${TEXT_COLUMNS}, zones, metadata, numbers)
    select ${id}::int, ${version}::int, phone_number, dial_key, ${TEXT_COLUMNS}, zones, metadata, numbers from ${givenRows(contacts)} order by position
    on conflict (list_id, dial_key) where gone_version is null do nothing`);
}

const MAX_REASON_LENGTH = 500;

/**
 * Enters the numbers in the do-not-call list at once; an entry that somebody else has made stays, and no longer expires.
 *
 * Why: a number of such a list is not dialled from the commit on, also while the import goes on
 */
async function forbidNumbers(
  tx: Sql,
  { id, name }: ListInWriting,
  contacts: readonly NewContact[],
  createdBy: number | null,
): Promise<void> {
  const entries = contacts.map(({ phoneNumber, dialKey, remark }) => ({
    phoneNumber,
    dialKey,
    reason: (remark || name).slice(0, MAX_REASON_LENGTH),
  }));
  if (entries.length === 0) return;
  await tx.run(sql`
    insert into do_not_call as d (phone_number, dial_key, reason, source, scope, created_by, list_id)
    select distinct on ("dialKey") "phoneNumber", "dialKey", reason, 'import', 'number', ${createdBy}::int, ${id}::int
    from jsonb_to_recordset(${json(entries)}) as e("phoneNumber" text, "dialKey" text, reason text) order by "dialKey"
    on conflict (dial_key) do update set expires_at = null where d.expires_at is not null`);
}
