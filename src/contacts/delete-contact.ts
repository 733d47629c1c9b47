import { conflict, notFound } from '#kernel/errors.ts';
import type { ContactStore } from './ports-contact-store.ts';
import type { Contact } from './contact.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { giveBackSlots, type GiveBackDeps } from '#slots/slot-registry.ts';
import { requireNotArchived } from '#campaigns/actions.ts';

/**
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT during a call
 * Source: OCS 4.6, D6.2
 */
export async function deleteContact(
  deps: AuditDeps & GiveBackDeps & { contacts: Pick<ContactStore, 'removeOne'> },
  caller: Caller,
  target: { campaignId: number; contactId: number },
): Promise<Contact> {
  const removal = await deps.contacts.removeOne(target.campaignId, target.contactId, requireNotArchived);
  if (removal.kind === 'not_found') throw notFound('联系人');
  if (removal.kind === 'busy') throw conflict('PERSON_IN_CALL', '联系人正在通话中，不能删除');
  await giveBackSlots(deps, target.campaignId, removal);
  await audit(deps, caller, {
    action: 'contact.deleted',
    targetType: 'contact',
    targetId: target.contactId,
    summary: '删除联系人',
    detail: { campaignId: target.campaignId },
  });
  return removal.contact;
}
