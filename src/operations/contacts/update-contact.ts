import { conflict, notFound } from '#kernel/errors.ts';
import { type Changes, overlay } from '#kernel/overlay.ts';
import type { ContactFields, ContactStore, LockedContact } from '#ports/contact-store.ts';
import type { Contact } from '#ports/records.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import { giveBackSlots, type GiveBackDeps } from './give-back-slots.ts';
import { numberKeys } from './new-contact.ts';
import { requireOpen } from './require-open.ts';

export interface UpdateContactDeps extends AuditDeps, GiveBackDeps {
  contacts: Pick<ContactStore, 'update'>;
}

type Editable = Omit<ContactFields, 'numberKey' | 'dialKey' | 'status'>;
export type ContactChanges = Changes<Editable> & { status?: 'pending' | 'paused' | undefined };

/**
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT during a call, or when the campaign has the number
 * Source: OCS 4.6, D6.2
 */
export async function updateContact(
  deps: UpdateContactDeps,
  caller: Caller,
  target: { campaignId: number; contactId: number },
  changes: ContactChanges,
): Promise<Contact> {
  const update = await deps.contacts.update(target.campaignId, target.contactId, locked => changed(locked, changes));
  if (update.kind === 'not_found') throw notFound('联系人');
  if (update.kind === 'number_taken') throw conflict('该号码已在活动中');
  await giveBackSlots(deps, target.campaignId, update);
  await audit(deps, caller, {
    action: 'contact.updated',
    targetType: 'contact',
    targetId: target.contactId,
    summary: '修改联系人',
    detail: { campaignId: target.campaignId, changed: Object.keys(changes), status: update.after.status },
  });
  deps.wake.campaign(target.campaignId);
  return update.after;
}

function changed({ contact, isBusy, campaign }: LockedContact, changes: ContactChanges): ContactFields {
  requireOpen(campaign);
  if (isBusy) throw conflict('联系人正在通话中，不能修改');
  const { phoneNumber, customerName, remark, metadata, priority, status } = contact;
  const current = { phoneNumber, customerName, remark, metadata, priority, status };
  const fields = overlay<Editable & Pick<Contact, 'status'>>(current, changes);
  return { ...fields, ...numberKeys(fields.phoneNumber) };
}
