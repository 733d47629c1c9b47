import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import { revertAttempts } from '#attempts/revert-attempts.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import { conflict } from '#kernel/errors.ts';
import type { LeftRows } from '#platform/postgres/bulk-result.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { unlessTaken } from '#platform/postgres/failures.ts';
import type { Table } from '#platform/postgres/listing.ts';
import { BUSINESS_ZONE, columnsOf, ids, json, texts } from '#platform/postgres/values.ts';
import { ContactTotals } from './contact-counts.ts';
import {
  ALL_NUMBERS,
  keysDialled,
  keysInBusiness,
  NUMBERS_COLUMN,
  ownedKeys,
  takeNumbers,
  writeNumbers,
  writeNumbersOf,
} from './contact-number-statements.ts';
import { foreseen, updateByExternalId } from './update-by-external-id.ts';
import {
  type AddedContacts,
  type AdmitCampaign,
  CONTACT_TEXT_NAMES,
  CONTACT_TEXTS,
  contact,
  type Contact,
  type ContactAdmission,
  type ContactFields,
  type ContactRemoval,
  type ContactsEdited,
  type ContactStore,
  type ContactUpdate,
  type LockedContact,
  type NewContact,
} from './contact.ts';
import type { StoredNumber } from './decisions/numbers.ts';

const CAMPAIGN_ZONE = sql`(select c.time_zone from campaign c where c.id = k.campaign_id)`;
/** Zones of the contact or of its number; without them the campaign's zone applies, else the installation's. Source: D8.8 */
const ZONES = sql`coalesce(string_to_array(k.zones, ' '), array[coalesce(${CAMPAIGN_ZONE}, ${BUSINESS_ZONE})])`;
const ZONE_SOURCE = sql`case when k.time_zone <> '' then 'own' when k.zones is not null then 'number'
    when ${CAMPAIGN_ZONE} is not null then 'campaign' else 'server' end`;

/** The queue takes the promise of an agent later than it was made for: that agent comes first (D7.12). */
const CALLBACK_AT = sql`case when k.callback_at is not null then
    coalesce((select b.due_at from callback b where b.contact_id = k.id and b.status = 'promised'), k.callback_at) end`;

/** Columns; the table's alias is `k`. A pending contact that waits for a retry is on hold until its retry time. Source: D5.5 */
export const CONTACT_COLUMNS = sql<Contact>`
  ${columnsOf(contact.omit({ retryAt: true, callbackAt: true, zones: true, zoneSource: true, numbers: true }), 'k')}, ${CALLBACK_AT} as callback_at,
  ${NUMBERS_COLUMN} as numbers,
  case when k.hold_reason = 'retry_wait' then k.hold_until else k.retry_at end as retry_at, ${ZONES} as zones, ${ZONE_SOURCE} as zone_source`;

export const CONTACT_TABLE = {
  columns: CONTACT_COLUMNS,
  from: sql`contact k`,
  id: sql`k.id`,
  exists: sql`k.deleted_at is null`,
} satisfies Table<unknown>;

/** Whether the call with alias `s` is open; must match the partial indexes literally, else the planner does not use them. */
export const SOFTPHONE_OPEN: RawBuilder<boolean> = sql`s.status in ('created','ringing','dialing','answered')`;

/** Source: OCS 4.7 rule 1 */
const INSERT_BATCH_ROWS = 1_000;

/**
 * Adds contacts in order under the campaign's lock, and updates those whose external id it has; null when the campaign does not exist.
 *
 * Why:    contacts are dialled in order of id (D5.5), so ids must follow the order of the file
 * Source: OCS 4.7, D6.1
 */
export async function insertContacts(
  tx: Sql,
  campaignId: number,
  contacts: readonly NewContact[],
  { admit, holdsStatus, andThen }: ContactAdmission,
): Promise<AddedContacts | null> {
  const campaign = await lockCampaign(tx, campaignId, holdsStatus);
  if (campaign === null) return null;
  admit(campaign);
  const updated = await updateByExternalId(tx, campaignId, contacts);
  const fresh = contacts.filter(({ externalId }) => !updated.has(externalId));
  const created = new Set<string>();
  for (let start = 0; start < fresh.length; start += INSERT_BATCH_ROWS) {
    for (const key of await insertBatch(tx, campaignId, fresh.slice(start, start + INSERT_BATCH_ROWS))) created.add(key);
  }
  const written = contacts.filter(({ dialKey, externalId }) => created.has(dialKey) || updated.has(externalId));
  await noteZones(
    tx,
    campaignId,
    written.map(({ zones }) => zones),
  );
  await andThen?.(tx, created);
  return { created, updated };
}

/**
 * Locks the campaign's row: with `holdsStatus` against any change, otherwise only against deletion and the move to `completed`.
 *
 * Why: pasting contacts must neither wait for the dispatch of a running campaign nor delay it
 */
export async function lockCampaign(tx: Sql, campaignId: number, holdsStatus: boolean): Promise<Pick<Campaign, 'id' | 'status'> | null> {
  const strength = holdsStatus ? sql`for no key update` : sql`for key share`;
  const row = await tx.first(sql<Pick<Campaign, 'id' | 'status'>>`
    select id, status from campaign where id = ${campaignId} and deleted_at is null ${strength}`);
  return row ?? null;
}

/**
 * Records in which zones the campaign has contacts; it may dial while any of them is open.
 *
 * Why: nearly every time they are known already, and nothing is written
 */
export async function noteZones(tx: Sql, campaignId: number, zones: readonly (string | null)[]): Promise<void> {
  const distinct = texts([...new Set(zones.map(each => each ?? ''))]);
  await tx.run(sql`
    update campaign set contact_zones = array(select distinct zone from unnest(contact_zones || ${distinct}) as zone order by zone)
    where id = ${campaignId} and not contact_zones @> ${distinct}`);
}

export const TEXT_COLUMNS = sql.join(CONTACT_TEXT_NAMES.map(name => sql.ref(CONTACT_TEXTS[name].column)));
export const GIVEN_TEXTS = sql.join(CONTACT_TEXT_NAMES.map(name => sql.raw(`"${name}" text`)));

/** A number that another contact of the campaign has among several is not added either. */
async function insertBatch(tx: Sql, campaignId: number, contacts: readonly NewContact[]): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: number; dialKey: string }>`
    insert into contact (campaign_id, phone_number, dial_key, ${TEXT_COLUMNS}, zones, metadata, has_numbers)
    select ${campaignId}::int, row.* from (
      select phone_number, dial_key, ${TEXT_COLUMNS}, zones, metadata, jsonb_array_length(numbers) > 0
      from rows from (jsonb_to_recordset(${json(contacts)}) as
        ("phoneNumber" text, "dialKey" text, ${GIVEN_TEXTS}, zones text, metadata jsonb, numbers jsonb))
        with ordinality as given (phone_number, dial_key, ${TEXT_COLUMNS}, zones, metadata, numbers, position)
      where not ${ownedKeys(sql`${campaignId}::int`, sql`given.dial_key`)}
      order by position) as row
    on conflict (campaign_id, dial_key) where deleted_at is null and not is_repeat do nothing
    returning id, dial_key`);
  const idOf = new Map(rows.map(({ id, dialKey }) => [dialKey, id]));
  await writeNumbersOf(tx, idOf, contacts);
  return [...idOf.keys()];
}

/** Whether the contact with alias `k` is in a call, with the AI or an agent: then it cannot be edited (D6.2). */
const BUSY_CONTACT = sql<boolean>`(
  exists (select 1 from attempt a where a.contact_id = k.id and ${OPEN})
  or exists (
    select 1 from softphone_call s
    where s.contact_id = k.id and s.direction <> 'conference' and s.status in ('created','ringing','dialing','answered')))`;

async function updateContact(
  tx: Sql,
  { campaignId, contactId }: { campaignId: number; contactId: number },
  change: (current: LockedContact) => ContactFields,
): Promise<ContactUpdate> {
  const campaign = await lockCampaign(tx, campaignId, false);
  const locked = campaign && (await lockContact(tx, campaignId, contactId));
  if (!locked) return { kind: 'not_found' };
  const { isBusy, dialKey, numbers, withdrawn, contact: before } = locked;
  const fields = change({ contact: before, dialKey, numbers, isBusy, campaign });
  await noteZones(tx, campaignId, [fields.zones]);
  await replaceNumbers(tx, contactId, numbers, fields.numbers);
  const after = await tx.first(writeContact(before, fields));
  if (!after) throw new Error('a locked contact vanished');
  return { kind: 'updated', before, after, withdrawn };
}

async function replaceNumbers(tx: Sql, contactId: number, before: readonly StoredNumber[], after: readonly StoredNumber[]): Promise<void> {
  if (isDeepStrictEqual(before, after)) return;
  await takeNumbers(tx, [contactId]);
  await writeNumbers(tx, [{ contactId, numbers: after }]);
}

/**
 * A return to `pending` keeps only the wait for a retry, as a hold; a new number ends that, too. Other zones end a wait for a window.
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
  const awaitsOldZone = sql`(k.hold_reason in ('outside_window', 'blocked_date') and k.zones is distinct from ${fields.zones}::text)`;
  return sql<Contact>`
    update contact k set phone_number = ${fields.phoneNumber}, dial_key = ${fields.dialKey}, is_repeat = k.is_repeat and not ${isRenumbered}::boolean,
      ${sql.join(CONTACT_TEXT_NAMES.map(name => sql`${sql.ref(CONTACT_TEXTS[name].column)} = ${fields[name]}`))}, metadata = ${json(fields.metadata)}, priority = ${fields.priority},
      has_numbers = ${fields.numbers.length > 0}::boolean, status = ${fields.status},
      retry_at = case when ${returns}::boolean then null else k.retry_at end,
      hold_reason = case when ${judgedAnew}::boolean then case when ${wait} is not null then 'retry_wait' end when ${awaitsOldZone} then null else k.hold_reason end,
      hold_until = case when ${judgedAnew}::boolean then ${wait} when ${awaitsOldZone} then null else k.hold_until end,
      zones = ${fields.zones}
    where k.id = ${before.id} returning ${CONTACT_COLUMNS}`;
}

async function removeContact(
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
async function editContacts(
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

interface Locked extends Pick<LockedContact, 'contact' | 'dialKey' | 'numbers' | 'isBusy'> {
  withdrawn: string[];
}

/** Separate statements for the reason given in `editContacts`. */
async function lockContact(tx: Sql, campaignId: number, contactId: number): Promise<Locked | undefined> {
  await lockClaims(tx, campaignId, [contactId]);
  const found = await tx.first(sql`
    select id from contact where id = ${contactId} and campaign_id = ${campaignId} and deleted_at is null for no key update`);
  if (!found) return undefined;
  const withdrawn = await withdrawClaims(tx, [contactId]);
  const row = await tx.first(sql<Contact & { dialKey: string; isBusy: boolean; stored: StoredNumber[] }>`
    select ${CONTACT_COLUMNS}, k.dial_key, ${ALL_NUMBERS} as stored, ${BUSY_CONTACT} as is_busy from contact k where k.id = ${contactId}`);
  if (!row) throw new Error('a locked contact vanished');
  const { isBusy, dialKey, stored: numbers, ...contact } = row;
  return { contact, dialKey, numbers, isBusy, withdrawn };
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

export function contactRepository(db: Database): ContactStore {
  const totals = new ContactTotals(db);
  return {
    count: (campaignIds, search) => totals.count(campaignIds, search),
    add: (campaignId, contacts, admission) => db.transaction(tx => insertContacts(tx, campaignId, contacts, admission)),
    foresee: (campaignId, contacts) => foreseen(db, campaignId, contacts),
    keysInBusiness: (campaignId, dialKeys) => keysInBusiness(db, campaignId, dialKeys),
    keysDialled: (dialKeys, days) => keysDialled(db, dialKeys, days),
    update: (campaignId, contactId, change) =>
      unlessTaken('contact_external', EXTERNAL_ID_TAKEN, () =>
        unlessTaken('contact_unique', NUMBER_TAKEN, () => db.transaction(tx => updateContact(tx, { campaignId, contactId }, change))),
      ),
    removeOne: (campaignId, contactId, admit) => db.transaction(tx => removeContact(tx, { campaignId, contactId }, admit)),
    pause: (campaignId, contactIds, admit) =>
      db.transaction(tx =>
        editContacts(tx, { campaignId, contactIds }, { admit, which: sql`k.status <> 'paused'`, set: sql`status = 'paused'` }),
      ),
    remove: (campaignId, contactIds, admit) =>
      db.transaction(tx => editContacts(tx, { campaignId, contactIds }, { admit, which: sql`true`, set: sql`deleted_at = now()` })),
  };
}

const EXTERNAL_ID_TAKEN = () => conflict('EXTERNAL_ID_TAKEN', '该外部编号已在活动中', 'externalId');
const NUMBER_TAKEN = () => conflict('NUMBER_TAKEN', '该号码已在活动中', 'phoneNumber');
