import type { ContactsPart, LeftOutReason } from '#contacts/contact.ts';
import { type DistinctRows, type ImportRow, leftOutRow } from '#contacts/import-result.ts';
import type { DUPLICATE_SCOPES } from './file-import.ts';

interface KnownScope {
  duplicates?: (typeof DUPLICATE_SCOPES)[number] | undefined;
  /** Absent: whenever. */
  contactedWithinDays?: number | undefined;
}

/**
 * Leaves out the rows whose person is a contact of another campaign of the business, or was dialled not long ago, as far as the import asks.
 *
 * Why:    a person is known by any of the numbers of a row; a row that updates a contact by its external id is not a new person
 * Source: D6.8
 */
export async function withoutKnownPersons(
  { contacts }: ContactsPart,
  campaignId: number,
  rows: DistinctRows,
  { duplicates = 'campaign', contactedWithinDays }: KnownScope,
): Promise<DistinctRows> {
  if (duplicates === 'campaign' && contactedWithinDays === undefined) return rows;
  const { updated } = await contacts.foresee(
    campaignId,
    rows.distinct.map(({ contact }) => contact),
  );
  const asked = rows.distinct.filter(({ contact }) => !updated.has(contact.externalId)).flatMap(keysOf);
  const inBusiness = duplicates === 'business' ? await contacts.keysInBusiness(campaignId, asked) : NOBODY;
  const dialled = contactedWithinDays === undefined ? NOBODY : await contacts.keysDialled(asked, contactedWithinDays);
  const reasonOf = (row: ImportRow): LeftOutReason | null => {
    if (updated.has(row.contact.externalId)) return null;
    if (keysOf(row).some(key => inBusiness.has(key))) return 'business';
    return keysOf(row).some(key => dialled.has(key)) ? 'contacted' : null;
  };
  return split(rows, reasonOf);
}

const NOBODY: ReadonlySet<string> = new Set();

function split({ distinct, leftOut }: DistinctRows, reasonOf: (row: ImportRow) => LeftOutReason | null): DistinctRows {
  const kept = distinct.filter(row => reasonOf(row) === null);
  const known = distinct.flatMap(row => {
    const because = reasonOf(row);
    return because === null ? [] : [leftOutRow(row, because)];
  });
  return { distinct: kept, leftOut: [...leftOut, ...known] };
}

function keysOf({ contact: { dialKey, numbers } }: ImportRow): string[] {
  return [dialKey, ...numbers.map(number => number.dialKey)];
}
