import { type RawBuilder, sql } from 'kysely';
import { CONTACT_COLUMNS } from './contact-columns.ts';
import type { AdmitCampaign, ContactFields, ContactRemoval, ContactsEdited, ContactUpdate, LockedContact } from './ports-contact-store.ts';
import type { Contact } from './contact.ts';
import { lockCampaign } from './contact-insert.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { OPEN } from '#attempts/attempt-store.ts';
import { ids, json } from '#platform/postgres/values.ts';
import type { LeftRows } from '#platform/postgres/bulk-result.ts';
import { revertAttempts } from '#attempts/revert-attempts.ts';

/** Whether the contact with alias `k` is in a call, with the AI or an agent: then it cannot be edited (D6.2). */
export const BUSY_CONTACT = sql<boolean>`(
  exists (select 1 from attempt a where a.contact_id = k.id and ${OPEN})
  or exists (
    select 1 from softphone_call s
    where s.contact_id = k.id and s.direction <> 'conference' and s.status in ('created','ringing','dialing','answered')))`;

export async function updateContact(
  tx: Sql,
  { campaignId, contactId }: { campaignId: number; contactId: number },
  change: (current: LockedContact) => ContactFields,
): Promise<ContactUpdate> {
  const campaign = await lockCampaign(tx, campaignId, false);
  const locked = campaign && (await lockContact(tx, campaignId, contactId));
  if (!locked) return { kind: 'not_found' };
  const { isBusy, dialKey, withdrawn, contact: before } = locked;
  const fields = change({ contact: before, dialKey, isBusy, campaign });
  const after = await tx.first(writeContact(before, fields));
  if (!after) throw new Error('a locked contact vanished');
  return { kind: 'updated', before, after, withdrawn };
}

/**
 * A return to `pending` keeps only the wait for a retry, as a hold; a new number ends that, too.
 *
 * Source: D5.5, D6.2
 */
function writeContact(before: Contact, fields: ContactFields): RawBuilder<Contact> {
  const returns = fields.status === 'pending' && before.status !== 'pending';
  const isRenumbered = fields.phoneNumber !== before.phoneNumber;
  const judgedAnew = returns || isRenumbered;
  // The claim would find the wait anyway, but until then its end would be unknown.
  const wait = sql`case when ${isRenumbered}::boolean then null when k.hold_reason = 'retry_wait' then k.hold_until
    when k.retry_at > now() then k.retry_at end`;
  return sql<Contact>`
    update contact k set phone_number = ${fields.phoneNumber}, dial_key = ${fields.dialKey}, is_repeat = k.is_repeat and not ${isRenumbered}::boolean,
      customer_name = ${fields.customerName}, remark = ${fields.remark}, metadata = ${json(fields.metadata)}, priority = ${fields.priority},
      status = ${fields.status},
      retry_at = case when ${returns}::boolean then null else k.retry_at end,
      hold_reason = case when ${judgedAnew}::boolean then case when ${wait} is not null then 'retry_wait' end else k.hold_reason end,
      hold_until = case when ${judgedAnew}::boolean then ${wait} else k.hold_until end
    where k.id = ${before.id} returning ${CONTACT_COLUMNS}`;
}

export async function removeContact(
  tx: Sql,
  { campaignId, contactId }: { campaignId: number; contactId: number },
  admit: AdmitCampaign,
): Promise<ContactRemoval> {
  const campaign = await lockCampaign(tx, campaignId, false);
  const locked = campaign && (await lockContact(tx, campaignId, contactId));
  if (!locked) return { kind: 'not_found' };
  admit(campaign);
  const { isBusy, withdrawn, contact } = locked;
  if (isBusy) return { kind: 'busy' };
  await tx.run(sql`update contact set deleted_at = now() where id = ${contactId}`);
  return { kind: 'removed', contact, withdrawn };
}

/** Applies a bulk edit to the editable contacts of `campaignId`; null when the campaign does not exist. */
export async function editContacts(
  tx: Sql,
  { campaignId, contactIds }: { campaignId: number; contactIds: readonly number[] },
  edit: { admit: AdmitCampaign; which: RawBuilder<unknown>; set: RawBuilder<unknown> },
): Promise<ContactsEdited | null> {
  const campaign = await lockCampaign(tx, campaignId, false);
  if (campaign === null) return null;
  edit.admit(campaign);
  await lockClaims(tx, campaignId, contactIds);
  const locked = await tx.rows(sql<{ id: number }>`
    select k.id from contact k where k.id = any(${ids(contactIds)}) and k.campaign_id = ${campaignId} and k.deleted_at is null and ${edit.which}
    order by k.id for no key update`);
  // Separate statements, in order to see the attempts of claims that held the row locks until now.
  const lockedIds = locked.map(({ id }) => id);
  const withdrawn = await withdrawClaims(tx, lockedIds);
  const edited = await tx.rows(
    sql<{ id: number }>`update contact k set ${edit.set} where k.id = any(${ids(lockedIds)}) and not ${BUSY_CONTACT} returning k.id`,
  );
  return { affectedIds: edited.map(({ id }) => id), withdrawn };
}

interface Locked {
  contact: Contact;
  dialKey: string;
  isBusy: boolean;
  withdrawn: string[];
}

/** Separate statements for the reason given in `editContacts`. */
async function lockContact(tx: Sql, campaignId: number, contactId: number): Promise<Locked | undefined> {
  await lockClaims(tx, campaignId, [contactId]);
  const found = await tx.first(sql`
    select id from contact where id = ${contactId} and campaign_id = ${campaignId} and deleted_at is null for no key update`);
  if (!found) return undefined;
  const withdrawn = await withdrawClaims(tx, [contactId]);
  const row = await tx.first(sql<Contact & { dialKey: string; isBusy: boolean }>`
    select ${CONTACT_COLUMNS}, k.dial_key, ${BUSY_CONTACT} as is_busy from contact k where k.id = ${contactId}`);
  if (!row) throw new Error('a locked contact vanished');
  const { isBusy, dialKey, ...contact } = row;
  return { contact, dialKey, isBusy, withdrawn };
}

const CLAIMED = sql<boolean>`${OPEN} and a.status = 'claimed'`;

/** Locks claims with their contacts before other contacts: the lock order of everything that ends attempts. */
async function lockClaims(tx: Sql, campaignId: number, contactIds: readonly number[]): Promise<void> {
  await tx.run(sql`
    select a.id from attempt a join contact c on c.id = a.contact_id
    where a.contact_id = any(${ids(contactIds)}) and c.campaign_id = ${campaignId} and ${CLAIMED} order by a.id for no key update`);
}

/** Restores the contacts to their state before the claim (D7.3); the final mark before dialling then fails. */
function withdrawClaims(tx: Sql, contactIds: readonly number[]): Promise<string[]> {
  return revertAttempts(tx, sql`a.contact_id = any(${ids(contactIds)}) and ${CLAIMED}`, '联系人在拨出前已变更');
}

export const contactsLeft = ({ ids: left, campaignId }: LeftRows) => sql<{ id: number; isBusy: boolean }>`
  select k.id, ${BUSY_CONTACT} as is_busy from contact k
  where k.id = any(${ids(left)}) and k.campaign_id = ${campaignId} and k.deleted_at is null`;
