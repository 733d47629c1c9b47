import { CalloutError, notFound } from '#kernel/errors.ts';
import type { Database } from '#platform/postgres/database.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type BulkResult, leftOf } from '#platform/postgres/bulk-result.ts';
import type { Platform } from '#platform/platform.ts';
import { resetContacts, type RetrySelection } from './reset-contacts.ts';

export interface RetryContactsDeps extends AuditDeps, Pick<Platform, 'wake'> {
  db: Database;
}

/**
 * Makes matching contacts `pending` again, as if never dialled. Contacts with an open attempt are skipped.
 *
 * Shape:  `requested` = `affected` + `skipped`; with a status, `requested` counts all contacts in it
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED
 * Source: OCS §3 "Contact status", 4.8, D5.2, D5.5
 */
export async function retryContacts(
  deps: RetryContactsDeps,
  caller: Caller,
  campaignId: number,
  selection: RetrySelection,
): Promise<BulkResult> {
  const outcome = await resetContacts(deps.db, campaignId, selection);
  if (outcome.kind === 'not_found') throw notFound('活动');
  if (outcome.kind === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能重试联系人');
  const { requested, affected, affectedIds } = outcome;
  const counts = { requested, affected, skipped: requested - affected };
  const named = 'contactIds' in selection ? selection.contactIds : [];
  const result = { ...counts, left: leftOf('contact', campaignId, named, affectedIds) };
  if (affected === 0) return result;
  await audit(deps, caller, {
    action: 'contact.retried',
    targetType: 'campaign',
    targetId: campaignId,
    summary: `重试 ${affected} 个联系人`,
    detail: { ...counts, status: 'status' in selection ? selection.status : null },
  });
  deps.wake.campaign(campaignId);
  return result;
}
