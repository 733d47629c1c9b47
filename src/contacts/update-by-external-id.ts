import { sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json, texts } from '#platform/postgres/values.ts';
import { keysInCampaign, takeNumbers, writeNumbers } from './contact-number-statements.ts';
import { type AddedContacts, CONTACT_TEXT_NAMES, CONTACT_TEXTS, type NewContact } from './contact.ts';

/** Key for `pg_advisory_xact_lock`, combined with the campaign's id: two imports that bring one external id take turns. */
const EXTERNAL_ID_LOCK = 7_225_544;

/** A contact found by its external id. */
interface Found {
  id: number;
  externalId: string;
  dialKey: string;
  /** In a call, or claimed for one: its numbers stay, too. */
  isBusy: boolean;
  /** Nothing more is dialled unless a user says so. */
  isFinal: boolean;
}

type Updated = AddedContacts['updated'];

/**
 * Updates the contacts of the campaign that the customer's system knows by the same id: texts, variables and numbers.
 *
 * Why:    the system tells who a person is, not how far the campaign has come with it; so no contact changes its state
 * Shape:  by external id; a contact whose new number another contact of the campaign has keeps its numbers
 * Source: D6.8
 */
export async function updateByExternalId(tx: Sql, campaignId: number, contacts: readonly NewContact[]): Promise<Updated> {
  const named = contacts.filter(({ externalId }) => externalId !== '');
  if (named.length === 0) return new Map();
  await tx.run(sql`select pg_advisory_xact_lock(${EXTERNAL_ID_LOCK}::int, ${campaignId}::int)`);
  const found = await tx.rows(findStatement(campaignId, named, true));
  if (found.length === 0) return new Map();
  const given = new Map(named.map(contact => [contact.externalId, contact]));
  await writeTexts(tx, found, given);
  await writeNewNumbers(tx, campaignId, found, given);
  return howUpdated(found);
}

/** Previews `add`: the rows that would be new, and those that would be updates. */
export async function foreseen(db: Pick<Sql, 'rows'>, campaignId: number, contacts: readonly NewContact[]): Promise<AddedContacts> {
  const named = contacts.filter(({ externalId }) => externalId !== '');
  const found = named.length === 0 ? [] : await db.rows(findStatement(campaignId, named, false));
  const updated = howUpdated(found);
  const keys = contacts.filter(({ externalId }) => !updated.has(externalId)).map(({ dialKey }) => dialKey);
  const known = await keysInCampaign(db, campaignId, keys);
  return { created: new Set(keys.filter(key => !known.has(key))), updated };
}

function howUpdated(found: readonly Found[]): Updated {
  return new Map(found.map(({ externalId, isBusy, isFinal }) => [externalId, isBusy || isFinal ? 'kept' : 'changed']));
}

/** The rows are found one by one, then locked in order: a plan from before the table grew would read the campaign as a whole. */
function findStatement(campaignId: number, contacts: readonly NewContact[], locks: boolean) {
  const given = texts(contacts.map(({ externalId }) => externalId));
  return sql<Found>`
    select k.id, k.external_id, k.dial_key, k.status = 'completed' or (k.status = 'failed' and k.retry_at is null) as is_final,
      exists (select from attempt a where a.contact_id = k.id and ${OPEN}) as is_busy
    from contact k
    where k.id = any(array(
        select own.id from unnest(${given}) as asked (id) cross join lateral (
          select o.id from contact o
          where o.campaign_id = ${campaignId} and o.external_id = asked.id and o.external_id <> '' and o.deleted_at is null offset 0) as own))
      and k.external_id = any(${given}) and k.deleted_at is null
    order by k.id ${locks ? sql`for no key update of k` : sql``}`;
}

const NAMES = CONTACT_TEXT_NAMES.filter(name => name !== 'externalId');
const SET_TEXTS = sql.join(NAMES.map(name => sql`${sql.ref(CONTACT_TEXTS[name].column)} = ${sql.raw(`g."${name}"`)}`));
const GIVEN_TEXTS = sql.join(NAMES.map(name => sql.raw(`"${name}" text`)));

async function writeTexts(tx: Sql, found: readonly Found[], given: ReadonlyMap<string, NewContact>): Promise<void> {
  const rows = found.map(({ id, externalId }) => ({ ...given.get(externalId), id }));
  await tx.run(sql`
    update contact k set ${SET_TEXTS}, metadata = g.metadata
    from jsonb_to_recordset(${json(rows)}) as g(id bigint, ${GIVEN_TEXTS}, metadata jsonb) where k.id = g.id`);
}

interface Renumbered {
  id: number;
  /** Key of the number to dial now. */
  current: string;
  contact: NewContact;
}

async function writeNewNumbers(
  tx: Sql,
  campaignId: number,
  found: readonly Found[],
  given: ReadonlyMap<string, NewContact>,
): Promise<void> {
  const free = found.flatMap(({ id, externalId, dialKey, isBusy }) => {
    const contact = given.get(externalId);
    return isBusy || !contact ? [] : [{ id, current: dialKey, contact }];
  });
  const changed = await withoutTaken(tx, campaignId, free);
  await replaceNumbers(tx, changed);
  await tx.run(renumber(changed));
}

/** Without the contacts whose new number another contact of the campaign has. */
async function withoutTaken(tx: Sql, campaignId: number, contacts: readonly Renumbered[]): Promise<Renumbered[]> {
  const moves = ({ current, contact }: Renumbered) => !keysOf(contact).includes(current);
  const wanted = contacts.filter(moves).map(({ contact }) => contact.dialKey);
  const taken = await keysInCampaign(tx, campaignId, wanted);
  return contacts.filter(each => !moves(each) || !taken.has(each.contact.dialKey));
}

/** A number that stays keeps its verdict. */
async function replaceNumbers(tx: Sql, contacts: readonly Renumbered[]): Promise<void> {
  const before = await takeNumbers(
    tx,
    contacts.map(({ id }) => id),
  );
  const verdicts = new Map(before.map(({ contactId, dialKey, verdict }) => [`${contactId} ${dialKey}`, verdict]));
  const after = contacts.map(({ id, contact: { numbers } }) => ({
    contactId: id,
    numbers: numbers.map(number => ({ ...number, verdict: verdicts.get(`${id} ${number.dialKey}`) ?? null })),
  }));
  await writeNumbers(tx, after);
}

/** The number to dial now stays where the new list has it; another one ends what the old one waited for. */
function renumber(contacts: readonly Renumbered[]) {
  const rows = contacts.map(({ id, contact }) => ({ id, ...contact, hasNumbers: contact.numbers.length > 0, keys: keysOf(contact) }));
  return sql`
    update contact k set zones = g.zones, has_numbers = g."hasNumbers",
      phone_number = case when g.stays then k.phone_number else g."phoneNumber" end,
      dial_key = case when g.stays then k.dial_key else g."dialKey" end,
      hold_reason = case when g.stays or k.hold_reason in ('retry_wait', 'callback') then k.hold_reason end,
      hold_until = case when g.stays or k.hold_reason in ('retry_wait', 'callback') then k.hold_until end
    from (select g.*, jsonb_exists(g.keys, o.dial_key) as stays
      from jsonb_to_recordset(${json(rows)}) as g(id bigint, "phoneNumber" text, "dialKey" text, zones text, "hasNumbers" boolean, keys jsonb)
      join contact o on o.id = g.id) as g
    where k.id = g.id`;
}

function keysOf({ dialKey, numbers }: NewContact): string[] {
  return [dialKey, ...numbers.map(number => number.dialKey)];
}
