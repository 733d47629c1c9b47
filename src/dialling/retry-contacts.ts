import { CalloutError, notFound } from '#kernel/errors.ts';
import type { Database } from '#adapters/postgres/database.ts';
import { type AuditDeps, audit } from '#operations/access/audit.ts';
import type { Caller } from '#operations/access/caller.ts';
import type { Ports } from '#ports/ports.ts';
import { resetContacts, type RetrySelection } from './postgres/reset-contacts.ts';

export interface RetryContactsDeps extends AuditDeps, Pick<Ports, 'wake'> {
  db: Database;
}

/**
 * Makes matching contacts `pending` again, as if they had never been dialled. Contacts with an open attempt are skipped.
 *
 * Shape:  `requested` = `affected` + `skipped`; with a status, `requested` counts the contacts in it
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED
 * Source: OCS §3 "Contact status", 4.8, D5.2, D5.5
 */
export async function retryContacts(
  deps: RetryContactsDeps,
  caller: Caller,
  campaignId: number,
  selection: RetrySelection,
): Promise<{ requested: number; affected: number; skipped: number }> {
  const outcome = await resetContacts(deps.db, campaignId, selection);
  if (outcome.kind === 'not_found') throw notFound('活动');
  if (outcome.kind === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能重试联系人');
  const counts = { requested: outcome.requested, affected: outcome.affected, skipped: outcome.requested - outcome.affected };
  if (outcome.affected === 0) return counts;
  await audit(deps, caller, {
    action: 'contact.retried',
    targetType: 'campaign',
    targetId: campaignId,
    summary: `重试 ${outcome.affected} 个联系人`,
    detail: { ...counts, status: 'status' in selection ? selection.status : null },
  });
  deps.wake.campaign(campaignId);
  return counts;
}
