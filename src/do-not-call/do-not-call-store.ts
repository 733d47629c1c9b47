import { defineEntity, LockMode, p, serialize } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { allOf, isFound } from '#platform/postgres/filters.ts';
import { columnsOf, instant } from '#platform/postgres/values.ts';
import { awaitClaims, releaseHolds } from '#policies/holds.ts';
import { invalidInput, notFound } from '#kernel/errors.ts';
import { DO_NOT_CALL_SCOPES, DO_NOT_CALL_SOURCES, type DoNotCallEntry, doNotCallEntry } from './do-not-call.ts';
import { keysBeside } from '#policies/person-keys.ts';
import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type Table, listOf } from '#platform/postgres/listing.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { listedNumberFault } from '#phone-numbers/listed-number.ts';
import type { Platform } from '#platform/platform.ts';
import { at, stampColumns } from '#platform/postgres/entity-columns.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';

export const DO_NOT_CALL_TABLE = {
  columns: columnsOf(doNotCallEntry, 'd'),
  from: sql`do_not_call d`,
  id: sql`d.id`,
  exists: sql`true`,
} satisfies Table<unknown>;

/** Most campaigns that hold one number as a contact. */
const MAX_CAMPAIGNS_OF_NUMBER = 10_000;

/** Filters of the list; an undefined filter does not narrow it. Instants are UTC ms. */
export interface DoNotCallSearch {
  /** Substring of the number or reason; '' matches every entry. */
  q: string;
  /** Key of a number (D8.7): an entry is found by this whole number or by its reason alone, so that nobody can find out a number by its parts. */
  wholeNumber?: string | undefined;
  source?: DoNotCallEntry['source'] | undefined;
  isPermanent?: boolean | undefined;
  /** Whether the entry has expired. */
  isExpired?: boolean | undefined;
  /** Expiry range, half-open: `expiresFrom` ≤ expiry < `expiresTo`. */
  expiresFrom?: number | undefined;
  expiresTo?: number | undefined;
  /** Creation range, half-open: `from` ≤ creation < `to`. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Lists expired entries too, although they no longer block a number. Source: OCS 4.10, D8.7 */
export const doNotCallList = listOf(DO_NOT_CALL_TABLE, (search: DoNotCallSearch) => {
  const { source, isPermanent, isExpired, expiresFrom, expiresTo, from, to } = search;
  return allOf(
    isNamed(search),
    source !== undefined && sql`d.source = ${source}`,
    isPermanent !== undefined && sql`(d.expires_at is null) = ${isPermanent}`,
    isExpired !== undefined && sql`(d.expires_at is not null and d.expires_at <= now()) = ${isExpired}`,
    expiresFrom !== undefined && sql`d.expires_at >= ${instant(expiresFrom)}`,
    expiresTo !== undefined && sql`d.expires_at < ${instant(expiresTo)}`,
    from !== undefined && sql`d.created_at >= ${instant(from)}`,
    to !== undefined && sql`d.created_at < ${instant(to)}`,
  );
});

function isNamed({ q, wholeNumber }: DoNotCallSearch) {
  if (wholeNumber === undefined) return isFound(q, [sql`d.phone_number`, sql`d.reason`]);
  return sql`(d.dial_key = ${wholeNumber} or ${isFound(q, [sql`d.reason`])})`;
}

export interface AddDoNotCallInput {
  phoneNumber: string;
  /** When absent, an existing entry keeps its reason. */
  reason?: string | null | undefined;
  /** UTC ms; null for a permanent entry. */
  expiresAt: number | null;
  /** Defaults to `manual`. */
  source?: Exclude<DoNotCallEntry['source'], 'callback'> | undefined;
  /** When absent, an existing entry keeps its scope; a new one has `number`. */
  scope?: DoNotCallEntry['scope'] | null | undefined;
}

type DoNotCallApp = AuditPart & Pick<DiallingPlace, 'region'> & Pick<Platform, 'db' | 'wake'>;

/**
 * Adds a number to the list or updates its entry; once the transaction commits, no dial to the number is marked.
 *
 * Errors: INVALID_ARGUMENT for an impossible number
 * Source: OCS 2.10, 4.10, D8.6, D8.7
 */
export async function addDoNotCall(app: DoNotCallApp, caller: Caller, input: AddDoNotCallInput): Promise<DoNotCallEntry> {
  const listed = await app.db.transaction(tx => listNumber(tx, app.region, input, caller.userId));
  await tellListed(app, caller, listed);
  return listed.after;
}

/** An entry before and after it was written; null before: it is new. */
export interface ListedNumber {
  before: DoNotCallEntry | null;
  after: DoNotCallEntry;
}

/**
 * The part of `addDoNotCall` that belongs to a transaction; `tellListed` follows it.
 *
 * Errors: INVALID_ARGUMENT for an impossible number
 */
export async function listNumber(
  tx: Sql,
  region: DiallingPlace['region'],
  input: AddDoNotCallInput,
  userId: number | null,
): Promise<ListedNumber> {
  const fault = listedNumberFault(input.phoneNumber, region);
  if (fault !== null) throw invalidInput([{ field: 'phoneNumber', problem: fault }]);
  const key = dialKey(input.phoneNumber, region);
  const found = await tx.em.findOne(DoNotCallEntity, { dialKey: key }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const before = found && serialize(found);
  await putEntry(tx, key, input, userId);
  const entry = await tx.em.findOneOrFail(DoNotCallEntity, { dialKey: key }, { refresh: true });
  await releaseNumber(tx, key);
  return { before, after: serialize(entry) };
}

/** Audits a listed number and lets campaigns look at it, once the transaction has committed: an earlier expiry may release contacts. */
export async function tellListed(app: AuditPart & Pick<Platform, 'wake'>, caller: Caller, { before, after }: ListedNumber): Promise<void> {
  await auditEntry(app, caller, before, after);
  app.wake.campaign(null);
}

/**
 * Errors: NOT_FOUND
 * Source: OCS 4.10
 */
export async function removeDoNotCall(app: DoNotCallApp, caller: Caller, entryId: number): Promise<DoNotCallEntry> {
  const entry = await app.db.transaction(async tx => {
    const found = await tx.em.findOne(DoNotCallEntity, { id: entryId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (found === null) throw notFound('勿扰条目');
    await tx.em.remove(found).flush();
    await releaseNumber(tx, found.dialKey);
    return serialize(found);
  });
  await audit(app, caller, {
    action: 'do_not_call.removed',
    targetType: 'do_not_call',
    targetId: entryId,
    summary: '移出勿扰名单',
    detail: { phoneNumber: entry.phoneNumber, reason: entry.reason },
  });
  app.wake.campaign(null);
  return entry;
}

/** An upsert: of two users who add the same number at the same time, both succeed. */
function putEntry(
  tx: Sql,
  key: string,
  { phoneNumber, reason = null, expiresAt, source = 'manual', scope = null }: AddDoNotCallInput,
  userId: number | null,
): Promise<number> {
  return tx.run(sql`
    insert into do_not_call as d (phone_number, dial_key, reason, source, scope, expires_at, created_by)
    values (${phoneNumber}, ${key}, ${reason ?? ''}, ${source}, ${scope ?? 'number'}, ${instant(expiresAt)}, ${userId})
    on conflict (dial_key) do update set
      phone_number = excluded.phone_number, reason = coalesce(${reason}::text, d.reason), source = excluded.source,
      expires_at = excluded.expires_at, scope = coalesce(${scope}::text, d.scope)`);
}

async function auditEntry(app: AuditPart, caller: Caller, before: DoNotCallEntry | null, after: DoNotCallEntry): Promise<void> {
  const { id: targetId, phoneNumber, reason, expiresAt } = after;
  const place = { targetType: 'do_not_call', targetId } as const;
  if (before === null) {
    const detail = { phoneNumber, reason, expiresAt };
    await audit(app, caller, { action: 'do_not_call.added', ...place, summary: '加入勿扰名单', detail });
    return;
  }
  const entry = { action: 'do_not_call.updated', ...place, summary: '修改勿扰条目', detail: { phoneNumber } } as const;
  await auditChange(app, caller, entry, changeOf(before, after));
}

/** Releases the contacts of the number's persons for the next claim, which decides by the changed entry. */
async function releaseNumber(tx: Sql, key: string): Promise<void> {
  const campaigns = await tx.rows(sql<{ id: number }>`
    select distinct k.campaign_id as id from contact k
    where k.dial_key in (select ${key}::text union select beside.dial_key from ${keysBeside(sql`${key}::text`)} as beside) and k.deleted_at is null
    limit ${MAX_CAMPAIGNS_OF_NUMBER}`);
  await awaitClaims(
    tx,
    campaigns.map(({ id }) => id),
  );
  const beside = await tx.rows(sql<{ dialKey: string }>`select distinct beside.dial_key from ${keysBeside(sql`${key}::text`)} as beside`);
  await releaseHolds(tx, { dialKeys: [key, ...beside.map(({ dialKey }) => dialKey)], reasons: ['dnc'] });
}

const schema = defineEntity({
  name: 'DoNotCallEntity',
  tableName: 'do_not_call',
  properties: {
    id: p.integer().primary().autoincrement(),
    phoneNumber: p.text(),
    dialKey: p.text().hidden(),
    reason: p.text(),
    source: p.enum(DO_NOT_CALL_SOURCES),
    scope: p.enum(DO_NOT_CALL_SCOPES),
    expiresAt: at().strictNullable(),
    createdBy: p.integer().strictNullable(),
    ...stampColumns(),
  },
});

export class DoNotCallEntity extends schema.class {}

schema.setClass(DoNotCallEntity);
