import { notFound } from '#kernel/errors.ts';
import type { ContactStore } from './ports-contact-store.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type BulkResult, leftOf } from '#platform/postgres/bulk-result.ts';
import { giveBackSlots, type GiveBackDeps } from '#slots/slot-registry.ts';
import { requireNotArchived } from '#campaigns/actions.ts';

const VERBS = {
  pause: { action: 'contact.paused', text: '批量暂停联系人' },
  remove: { action: 'contact.deleted', text: '批量删除联系人' },
} as const;

/**
 * Pauses or soft-deletes the listed contacts; skips those that are in a call, deleted or of another campaign.
 *
 * Why:    a claim that has not been dialled is no call: it is withdrawn, so that a pause during a run prevents every further dial
 * Errors: NOT_FOUND when the campaign does not exist; CAMPAIGN_ARCHIVED
 * Source: OCS 4.6, D6.2
 */
export async function changeContactsInBulk(
  deps: AuditDeps & GiveBackDeps & { contacts: Pick<ContactStore, 'pause' | 'remove'> },
  caller: Caller,
  verb: keyof typeof VERBS,
  target: { campaignId: number; contactIds: readonly number[] },
): Promise<BulkResult> {
  const { campaignId, contactIds } = target;
  const edited = await deps.contacts[verb](campaignId, [...new Set(contactIds)], requireNotArchived);
  if (edited === null) throw notFound('活动');
  await giveBackSlots(deps, campaignId, edited);
  const affected = edited.affectedIds.length;
  const counts = { requested: contactIds.length, affected, skipped: contactIds.length - affected };
  const result = { ...counts, left: leftOf('contact', campaignId, contactIds, edited.affectedIds) };
  if (affected === 0) return result;
  await audit(deps, caller, {
    action: VERBS[verb].action,
    targetType: 'campaign',
    targetId: campaignId,
    summary: `${VERBS[verb].text} ${affected} 个`,
    detail: counts,
  });
  return result;
}
