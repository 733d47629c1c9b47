import { conflict, notFound } from '#kernel/errors.ts';
import { type Changes, overlay } from '#kernel/json.ts';
import type { ContactFields, ContactStore, LockedContact } from './ports-contact-store.ts';
import type { Contact } from './contact.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import { auditChange, type AuditDeps, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { giveBackSlots, type GiveBackDeps } from '#slots/slot-registry.ts';
import { requireNotArchived } from '#campaigns/actions.ts';

export interface UpdateContactDeps extends AuditDeps, GiveBackDeps {
  contacts: Pick<ContactStore, 'update'>;
  /** Region of numbers without a country code. */
  region: Region;
}

type Editable = Omit<ContactFields, 'dialKey' | 'status'>;
export type ContactChanges = Changes<Editable> & { status?: 'pending' | 'paused' | undefined };

/**
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT during a call, or when another contact of the campaign has the number
 * Source: OCS 4.6, D6.2
 */
export async function updateContact(
  deps: UpdateContactDeps,
  caller: Caller,
  target: { campaignId: number; contactId: number },
  changes: ContactChanges,
): Promise<Contact> {
  const update = await deps.contacts.update(target.campaignId, target.contactId, locked => changed(locked, changes, deps.region));
  if (update.kind === 'not_found') throw notFound('联系人');
  await giveBackSlots(deps, target.campaignId, update);
  const { before, after } = update;
  const { campaignId, contactId } = target;
  const entry = {
    action: 'contact.updated',
    targetType: 'contact',
    targetId: contactId,
    summary: '修改联系人',
    detail: { campaignId },
  } as const;
  await auditChange(deps, caller, entry, changeOf(editable(before), editable(after)));
  deps.wake.campaign(target.campaignId);
  return after;
}

function changed({ contact, dialKey: known, isBusy, campaign }: LockedContact, changes: ContactChanges, region: Region): ContactFields {
  requireNotArchived(campaign);
  if (isBusy) throw conflict('PERSON_IN_CALL', '联系人正在通话中，不能修改');
  const fields = overlay<Editable & Pick<Contact, 'status'>>(editable(contact), changes);
  // An unchanged number keeps its key, because its import may have named another region.
  return { ...fields, dialKey: fields.phoneNumber === contact.phoneNumber ? known : dialKey(fields.phoneNumber, region) };
}

function editable({ phoneNumber, customerName, remark, metadata, priority, status }: Contact): Editable & Pick<Contact, 'status'> {
  return { phoneNumber, customerName, remark, metadata, priority, status };
}
