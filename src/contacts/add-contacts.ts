import { notFound } from '#kernel/errors.ts';
import type { ContactStore } from './ports-contact-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { distinctRows, type ImportResult, resultOfRows } from './import-result.ts';
import { type ContactInput, parseContact } from './new-contact.ts';
import { requireNotArchived } from '#campaigns/actions.ts';

/**
 * Adds pasted contacts; a number that the campaign already has is a duplicate in any format.
 *
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED
 * Source: OCS 4.6, D6.1
 */
export async function addContacts(
  deps: AuditDeps & Pick<Platform, 'wake'> & { contacts: Pick<ContactStore, 'add'>; region: Region },
  caller: Caller,
  campaignId: number,
  contacts: readonly ContactInput[],
): Promise<ImportResult> {
  const rows = distinctRows(contacts.map((contact, index) => ({ rowNumber: index + 1, contact: parseContact(contact, deps.region) })));
  const created = await deps.contacts.add(
    campaignId,
    rows.distinct.map(({ contact }) => contact),
    { admit: requireNotArchived, holdsStatus: false },
  );
  if (created === null) throw notFound('活动');
  const result = resultOfRows(rows, [], created);
  if (result.createdRows === 0) return result;
  await audit(deps, caller, {
    action: 'contact.added',
    targetType: 'campaign',
    targetId: campaignId,
    summary: `添加联系人 ${result.createdRows} 个，重复 ${result.duplicateRows} 个`,
    detail: { totalRows: result.totalRows, createdRows: result.createdRows, duplicateRows: result.duplicateRows },
  });
  deps.wake.campaign(campaignId);
  return result;
}
