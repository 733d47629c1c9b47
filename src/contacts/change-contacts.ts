import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import { requireNotArchived } from '#campaigns/actions.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import { type Changes, overlay } from '#kernel/json.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import type { Platform } from '#platform/platform.ts';
import { type BulkResult, leftOf } from '#platform/postgres/bulk-result.ts';
import { giveBackSlots, type SlotsPart } from '#slots/slot-registry.ts';
import {
  type Contact,
  type ContactFields,
  type ContactInput,
  type ContactStore,
  type LockedContact,
  knownZones,
  parseContact,
  type ContactsPart,
  eachText,
} from './contact.ts';
import { distinctRows, type ImportResult, resultOfRows } from './import-result.ts';
import { editedNumbers, type GivenNumber } from './decisions/numbers.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';

/**
 * Adds pasted contacts; a number that the campaign already has is a duplicate in any format.
 *
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED
 * Source: OCS 4.6, D6.1
 */
export async function addContacts(
  app: AuditPart & { contacts: Pick<ContactStore, 'add'>; region: Region } & Pick<Platform, 'wake'>,
  caller: Caller,
  campaignId: number,
  contacts: readonly ContactInput[],
): Promise<ImportResult> {
  const rows = distinctRows(contacts.map((contact, index) => ({ rowNumber: index + 1, contact: parseContact(contact, app.region) })));
  const added = await app.contacts.add(
    campaignId,
    rows.distinct.map(({ contact }) => contact),
    { admit: requireNotArchived, holdsStatus: false },
  );
  if (added === null) throw notFound('活动');
  const result = resultOfRows(rows, [], added);
  const { createdRows, duplicateRows, updatedRows = 0 } = result;
  if (createdRows + updatedRows === 0) return result;
  await audit(app, caller, {
    action: 'contact.added',
    targetType: 'campaign',
    targetId: campaignId,
    summary: `添加联系人 ${createdRows} 个${updatedRows > 0 ? `，更新 ${updatedRows} 个` : ''}，重复 ${duplicateRows} 个`,
    detail: { totalRows: result.totalRows, createdRows, duplicateRows, ...(updatedRows > 0 && { updatedRows }) },
  });
  app.wake.campaign(campaignId);
  return result;
}

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
  app: AuditPart & SlotsPart & { contacts: Pick<ContactStore, 'pause' | 'remove'> } & Pick<Platform, 'wake'>,
  caller: Caller,
  verb: keyof typeof VERBS,
  target: { campaignId: number; contactIds: readonly number[] },
): Promise<BulkResult> {
  const { campaignId, contactIds } = target;
  const edited = await app.contacts[verb](campaignId, [...new Set(contactIds)], requireNotArchived);
  if (edited === null) throw notFound('活动');
  await giveBackSlots(app, campaignId, edited);
  const affected = edited.affectedIds.length;
  const counts = { requested: contactIds.length, affected, skipped: contactIds.length - affected };
  const result = { ...counts, left: leftOf('contact', campaignId, contactIds, edited.affectedIds) };
  if (affected === 0) return result;
  await audit(app, caller, {
    action: VERBS[verb].action,
    targetType: 'campaign',
    targetId: campaignId,
    summary: `${VERBS[verb].text} ${affected} 个`,
    detail: counts,
  });
  return result;
}

type ContactsApp = ContactsPart & AuditPart & SlotsPart & Pick<Platform, 'wake'>;

/**
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT during a call
 * Source: OCS 4.6, D6.2
 */
export async function deleteContact(app: ContactsApp, caller: Caller, target: { campaignId: number; contactId: number }): Promise<Contact> {
  const removal = await app.contacts.removeOne(target.campaignId, target.contactId, requireNotArchived);
  if (removal.kind === 'not_found') throw notFound('联系人');
  if (removal.kind === 'busy') throw conflict('PERSON_IN_CALL', '联系人正在通话中，不能删除');
  await giveBackSlots(app, target.campaignId, removal);
  await audit(app, caller, {
    action: 'contact.deleted',
    targetType: 'contact',
    targetId: target.contactId,
    summary: '删除联系人',
    detail: { campaignId: target.campaignId },
  });
  return removal.contact;
}

type Editable = Omit<ContactFields, 'dialKey' | 'zones' | 'status' | 'numbers'>;
type ContactChanges = Changes<Editable> & { status?: 'pending' | 'paused' | undefined; numbers?: readonly GivenNumber[] | undefined };

/**
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT during a call, or when another contact of the campaign has the number or external id
 * Source: OCS 4.6, D6.2
 */
export async function updateContact(
  app: ContactsPart & AuditPart & SlotsPart & Pick<DiallingPlace, 'region'> & Pick<Platform, 'wake'>,
  caller: Caller,
  target: { campaignId: number; contactId: number },
  changes: ContactChanges,
): Promise<Contact> {
  const update = await app.contacts.update(target.campaignId, target.contactId, locked => changed(locked, changes, app.region));
  if (update.kind === 'not_found') throw notFound('联系人');
  await giveBackSlots(app, target.campaignId, update);
  const { before, after } = update;
  const { campaignId, contactId } = target;
  const entry = {
    action: 'contact.updated',
    targetType: 'contact',
    targetId: contactId,
    summary: '修改联系人',
    detail: { campaignId },
  } as const;
  await auditChange(app, caller, entry, changeOf(audited(before), audited(after)));
  app.wake.campaign(target.campaignId);
  return after;
}

function changed(locked: LockedContact, { numbers: given, ...changes }: ContactChanges, region: Region): ContactFields {
  requireNotArchived(locked.campaign);
  if (locked.isBusy) throw conflict('PERSON_IN_CALL', '联系人正在通话中，不能修改');
  const { contact, dialKey, numbers } = locked;
  const fields = overlay<Editable & Pick<Contact, 'status'>>(editable(contact), changes);
  const before = { phoneNumber: contact.phoneNumber, dialKey, numbers };
  const after = editedNumbers(before, { phoneNumber: changes.phoneNumber, numbers: given }, region);
  const keys = after.numbers.length === 0 ? [after.dialKey] : after.numbers.map(number => number.dialKey);
  return { ...fields, ...after, zones: knownZones(fields.timeZone, keys) };
}

function editable({ phoneNumber, metadata, priority, status, ...contact }: Contact): Editable & Pick<Contact, 'status'> {
  return { phoneNumber, ...eachText(name => contact[name]), metadata, priority, status };
}

/** A single number appears as `phoneNumber` alone. */
function audited(contact: Contact) {
  const isPlain = contact.numbers.length === 1 && contact.numbers[0]?.extension === '';
  return { ...editable(contact), numbers: isPlain ? [] : contact.numbers };
}
