import { type RawBuilder, sql } from 'kysely';
import { ATTEMPT_TABLE } from '#attempts/attempt-store.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { writeNumbersOf } from '#contacts/contact-number-statements.ts';
import { GIVEN_TEXTS, TEXT_COLUMNS } from '#contacts/contact-store.ts';
import type { Contact } from '#contacts/contact.ts';
import { CALLBACKS, FRESH, RETRIES, URGENT } from '#dialling/queue-conditions.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { ids, json, texts } from '#platform/postgres/values.ts';
import type { KnownContacts, RequestedDial } from './decisions/judge-dials.ts';
import { TOO_LATE } from './dial.ts';

/** Key for `pg_advisory_xact_lock`, combined with the campaign: its requests for dials take turns. */
const DIALS_LOCK = 7_225_544;

/** Serialises requests for dials of one campaign: a number or an id that two of them have is known to the second. */
export function takeTurn(tx: Sql, campaignId: number): Promise<unknown> {
  return tx.run(sql`select pg_advisory_xact_lock(${DIALS_LOCK}::int, ${campaignId}::int)`);
}

const HELD_FOR_A_TIME = sql`k.hold_reason is not null and k.hold_until is not null and k.deleted_at is null
  and (k.status = 'pending' or (k.status = 'failed' and k.retry_at is not null))`;

/**
 * Whether a campaign that has completed would call nobody if it were started, and its end has not come.
 *
 * Why: each part of the queue is looked up in its own index
 */
export async function isDrained(tx: Sql, campaignId: number): Promise<boolean> {
  const parts = [CALLBACKS.where, URGENT.where, RETRIES.where, FRESH.where, HELD_FOR_A_TIME].map(
    where => sql`exists (select 1 from contact k where k.campaign_id = c.id and ${where})`,
  );
  const row = await tx.first(sql<{ isDrained: boolean }>`
    select (c.scheduled_end_at is null or c.scheduled_end_at > now()) and not (${sql.join(parts, sql` or `)}) as is_drained
    from campaign c where c.id = ${campaignId}`);
  return row?.isDrained === true;
}

const IS_WAITING = sql`(k.status in ('pending','submitted','paused') or (k.status = 'failed' and k.retry_at is not null))`;

/** Contacts of the campaign that have one of the ids, or wait with one of the numbers. */
export async function readKnown(tx: Sql, campaignId: number, dials: readonly RequestedDial[]): Promise<KnownContacts> {
  const externalIds = dials.flatMap(({ externalId }) => (externalId === '' ? [] : [externalId]));
  const rows = await tx.rows(sql<{ id: number; externalId: string; dialKey: string; isWaiting: boolean }>`
    select k.id, k.external_id, k.dial_key, ${IS_WAITING} as is_waiting from contact k
    where k.campaign_id = ${campaignId} and k.deleted_at is null
      and ((k.external_id <> '' and k.external_id = any(${texts(externalIds)}))
        or (k.dial_key = any(${texts(dials.map(({ dialKey }) => dialKey))}) and ${IS_WAITING}))`);
  return {
    byExternalId: new Map(rows.filter(({ externalId }) => externalId !== '').map(({ externalId, id }) => [externalId, id])),
    waiting: new Map(rows.filter(({ isWaiting }) => isWaiting).map(({ dialKey, id }) => [dialKey, id])),
  };
}

/**
 * Inserts dials as contacts, in their order; one that waits for its earliest instant is on hold until then.
 *
 * Why:   the campaign has one contact of a number that is no repeat (D6.1), so a further dial of a number is one. Where an import adds the
 *        number or the id at the same time, nothing is inserted
 * Shape: id of the contact by number
 */
export async function insertDials(tx: Sql, campaignId: number, dials: readonly RequestedDial[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows(sql<{ id: number; dialKey: string }>`
    insert into contact (campaign_id, phone_number, dial_key, ${TEXT_COLUMNS}, zones, metadata, has_numbers, not_before, not_after, urgency,
      hold_reason, hold_until, is_repeat)
    select ${campaignId}::int, d.phone_number, d.dial_key, ${TEXT_COLUMNS}, d.zones, d.metadata, d.has_numbers, d.not_before, d.not_after, d.urgency,
      case when d.not_before > now() then 'not_before' end, case when d.not_before > now() then d.not_before end,
      exists (select 1 from contact o where o.campaign_id = ${campaignId} and o.dial_key = d.dial_key and o.deleted_at is null and not o.is_repeat)
    from (
      select phone_number, dial_key, ${TEXT_COLUMNS}, zones, metadata, jsonb_array_length(numbers) > 0 as has_numbers, to_timestamp(before_ms / 1000) as not_before,
        to_timestamp(after_ms / 1000) as not_after, urgency
      from rows from (jsonb_to_recordset(${json(dials)}) as
        ("phoneNumber" text, "dialKey" text, ${GIVEN_TEXTS}, zones text, metadata jsonb, numbers jsonb, "notBefore" float8,
         "notAfter" float8, urgency int))
        with ordinality as given (phone_number, dial_key, ${TEXT_COLUMNS}, zones, metadata, numbers, before_ms, after_ms, urgency, position)
      order by position) as d
    where not exists (select 1 from contact k where k.campaign_id = ${campaignId} and k.dial_key = d.dial_key and k.deleted_at is null and ${IS_WAITING})
    on conflict do nothing
    returning id, dial_key`);
  const idOf = new Map(rows.map(({ dialKey, id }) => [dialKey, id]));
  await writeNumbersOf(tx, idOf, dials);
  return idOf;
}

/** The row of a contact as a dial. */
export interface DialRow
  extends Pick<Contact, 'phoneNumber' | 'customerName' | 'status' | 'retryAt' | 'holdReason' | 'createdAt' | 'updatedAt'> {
  contactId: number;
  campaignId: number;
  externalId: string;
  notBefore: number | null;
  notAfter: number | null;
  priority: number;
}

/** Names one dial of a campaign. */
export type DialName = { contactId: number } | { externalId: string };

export async function findDialRow(db: Sql, campaignId: number, name: DialName): Promise<DialRow | null> {
  const is = 'contactId' in name ? sql`k.id = ${name.contactId}` : sql`k.external_id = ${name.externalId} and k.external_id <> ''`;
  const row = await db.first(sql<DialRow>`
    select k.id as contact_id, k.campaign_id, k.external_id, k.phone_number, k.customer_name, k.status, k.retry_at, k.hold_reason, k.not_before,
      k.not_after, k.urgency as priority, k.created_at, k.updated_at
    from contact k where k.campaign_id = ${campaignId} and k.deleted_at is null and ${is}`);
  return row ?? null;
}

/** Attempts that a dial shows. */
const MAX_ATTEMPTS = 50;

/** Newest first. */
export function attemptsOfContact(db: Sql, contactId: number): Promise<Attempt[]> {
  return db.rows(sql<Attempt>`
    select ${ATTEMPT_TABLE.columns} from attempt a where a.contact_id = ${contactId} and ${ATTEMPT_TABLE.exists} order by a.id desc limit ${MAX_ATTEMPTS}`);
}

/** Must match the partial index contact_not_after literally. A promised call has its own end (D7.12). */
const IS_LATE: RawBuilder<unknown> = sql`k.not_after is not null and k.not_after <= now() and k.callback_at is null and k.deleted_at is null
  and (k.status in ('pending','paused') or (k.status = 'failed' and k.retry_at is not null))`;

/** Ends dials whose latest instant has passed; their event is not recorded yet. Shape: their campaigns */
export async function endLateDials(db: Database, limit: number): Promise<number[]> {
  const rows = await db.rows(sql<{ campaignId: number }>`
    with late as (select k.id from contact k where ${IS_LATE} order by k.not_after limit ${limit} for no key update skip locked)
    update contact c set status = 'failed', retry_at = null, hold_reason = ${TOO_LATE}, hold_until = null, expiry_told = false
    from late where c.id = late.id returning c.campaign_id`);
  return [...new Set(rows.map(({ campaignId }) => campaignId))];
}

/** Dials of a campaign that ended too late, whose event is not recorded. */
export interface UntoldDials {
  campaignId: number;
  campaignName: string;
  /** Ascending. */
  contactIds: number[];
}

export function untoldDials(db: Sql, limit: number): Promise<UntoldDials[]> {
  return db.rows(sql<UntoldDials>`
    select m.id as campaign_id, m.name as campaign_name, jsonb_agg(u.id order by u.id) as contact_ids
    from (select id, campaign_id from contact where not expiry_told order by id limit ${limit}) as u
    join campaign m on m.id = u.campaign_id group by m.id`);
}

export async function markTold(db: Sql, contactIds: readonly number[]): Promise<void> {
  await db.run(sql`update contact set expiry_told = true where id = any(${ids(contactIds)})`);
}
