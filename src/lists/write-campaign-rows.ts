import { promiseImported } from '#callbacks/callback-store.ts';
import { requireNotArchived } from '#campaigns/actions.ts';
import { insertContacts } from '#contacts/contact-store.ts';
import type { AddedContacts } from '#contacts/contact.ts';
import type { ImportRow } from '#contacts/import-result.ts';
import { notFound } from '#kernel/errors.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { type ImportCounts, NO_ROWS } from './import-counts.ts';
import { type Standing, standingInCampaign } from './known-rows.ts';

/** Rows of an import of which no two name one person. */
export interface RowsToWrite {
  rows: readonly ImportRow[];
  createdBy: number | null;
}

/**
 * Adds the rows that the campaign lacks and updates those that differ, whether it is running or not.
 *
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED
 * Source: D6.9
 */
export async function writeCampaignRows(tx: Sql, campaignId: number, { rows, createdBy }: RowsToWrite): Promise<ImportCounts> {
  const contacts = rows.map(({ contact }) => contact);
  const standings = await standingInCampaign(tx, campaignId, contacts);
  const toWrite = rows.filter((_, index) => isWritten(standings[index]));
  const added = await insertContacts(
    tx,
    campaignId,
    toWrite.map(({ contact }) => contact),
    {
      admit: requireNotArchived,
      holdsStatus: false,
      andThen: (same, created) => promiseImported(same, { campaignId, createdBy, promises: promisesOf(toWrite, created) }),
    },
  );
  if (added === null) throw notFound('活动');
  return countsOf(toWrite, added, standings);
}

function isWritten(standing: Standing | undefined): boolean {
  return standing === 'new' || standing === 'changed';
}

function promisesOf(rows: readonly ImportRow[], created: ReadonlySet<string>) {
  return rows.flatMap(({ contact: { dialKey }, promise }) => (promise && created.has(dialKey) ? [{ dialKey, ...promise }] : []));
}

/** A row that another import was quicker to write is known. */
function countsOf(written: readonly ImportRow[], { created, updated }: AddedContacts, standings: readonly Standing[]): ImportCounts {
  const count = (standing: Standing) => standings.filter(each => each === standing).length;
  const updatedRows = written.filter(({ contact }) => updated.has(contact.externalId)).length;
  const createdRows = written.filter(({ contact }) => !updated.has(contact.externalId) && created.has(contact.dialKey)).length;
  return {
    ...NO_ROWS,
    totalRows: standings.length,
    createdRows,
    updatedRows,
    keptRows: [...updated.values()].filter(how => how === 'kept').length,
    unchangedRows: count('same'),
    leftOut: { ...NO_ROWS.leftOut, known: count('known') + written.length - createdRows - updatedRows },
  };
}
