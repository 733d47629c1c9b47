import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { allOf, isFound } from '#platform/postgres/filters.ts';
import { listOf, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, instant, json, texts } from '#platform/postgres/values.ts';
import { consentedPurposes } from './consent-conditions.ts';
import { awaitClaims, releaseHolds } from '#policies/holds.ts';
import { type Consent, consent, type ConsentEntry, type ConsentKind } from './consent.ts';

export const CONSENT_TABLE = {
  columns: columnsOf(consent, 'l'),
  from: sql`consent l`,
  id: sql`l.id`,
  exists: sql`true`,
} satisfies Table<unknown>;

/** Filters of the ledger; an undefined filter does not narrow it. Instants are UTC ms. */
export interface ConsentSearch {
  /** Substring of number, purpose, source or evidence; '' matches every entry. */
  q: string;
  dialKey?: string | undefined;
  kind?: ConsentKind | undefined;
  purpose?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** The ledger, newest entries first. Source: D8.10 */
export const consentList = listOf(CONSENT_TABLE, ({ q, dialKey, kind, purpose, from, to }: ConsentSearch) =>
  allOf(
    isFound(q, [sql`l.phone_number`, sql`l.purpose`, sql`l.source`, sql`l.evidence`]),
    dialKey !== undefined && sql`l.subject = ${dialKey}`,
    kind !== undefined && sql`l.kind = ${kind}`,
    purpose !== undefined && sql`l.purpose = ${purpose}`,
    from !== undefined && sql`l.at >= ${instant(from)}`,
    to !== undefined && sql`l.at < ${instant(to)}`,
  ),
);

/** An entry with the key by which numbers are compared. */
export interface KeyedEntry extends ConsentEntry {
  dialKey: string;
}

/** Appends entries; returns them in their order. */
export function appendConsents(
  tx: Pick<Sql, 'rows'>,
  entries: readonly KeyedEntry[],
  { origin, createdBy }: Pick<Consent, 'origin' | 'createdBy'>,
): Promise<Consent[]> {
  return tx.rows(sql<Consent>`
    with given as (select * from jsonb_to_recordset(${json(entries.map((entry, place) => ({ ...entry, place })))}) as g(place int,
      "dialKey" text, "phoneNumber" text, kind text, purpose text, source text, wording text, at float8, until float8, evidence text)),
    written as (
      insert into consent as l (subject, phone_number, kind, purpose, source, wording, at, until, evidence, origin, created_by)
      select g."dialKey", g."phoneNumber", g.kind, g.purpose, g.source, g.wording, coalesce(to_timestamp(g.at / 1000), now()),
        to_timestamp(g.until / 1000), g.evidence, ${origin}, ${createdBy}::int
      from given g order by g.place returning ${CONSENT_TABLE.columns})
    select * from written order by id`);
}

/** Most entries of one person in a file of evidence. */
const MAX_EVIDENCE_ENTRIES = 10_000;

/** All entries of one number, oldest first. */
export function ledgerOf(db: Pick<Sql, 'rows'>, dialKey: string): Promise<Consent[]> {
  return db.rows(sql<Consent>`
    select ${CONSENT_TABLE.columns} from consent l where l.subject = ${dialKey} order by l.at, l.id limit ${MAX_EVIDENCE_ENTRIES}`);
}

/** An opt-out during a call. */
export interface CallRevocation {
  requestId: string;
  phoneNumber: string;
  dialKey: string;
  reason: string;
}

/** Statements that end all consents of callers who asked for no more calls; none without opt-outs. Source: D8.10 */
export function revokeByCalls(revocations: readonly CallRevocation[]): RawBuilder<unknown>[] {
  if (revocations.length === 0) return [];
  return [
    sql`
    insert into consent (subject, phone_number, kind, source, wording, at, evidence, origin)
    select r."dialKey", r."phoneNumber", 'revoked', '通话', r.reason, now(), r."requestId", 'call'
    from jsonb_to_recordset(${json(revocations)}) as r("requestId" text, "phoneNumber" text, "dialKey" text, reason text) order by r."dialKey"`,
  ];
}

/** Ends the consents that a person has given, because their data are erased; the ledger itself is kept as evidence. Source: D8.10 */
export async function endConsents(db: Pick<Sql, 'run'>, dialKey: string): Promise<void> {
  await db.run(sql`
    insert into consent (subject, phone_number, kind, source, at, origin)
    select ${dialKey}::text, ${dialKey}::text, 'revoked', '清除个人数据', now(), 'erasure'
    where jsonb_array_length(${consentedPurposes(sql`${dialKey}::text`)}) > 0`);
}

/** Most campaigns that hold the numbers of one file as contacts. */
const MAX_CAMPAIGNS = 10_000;

/** Returns contacts that wait for a consent to the queue; returns their campaigns. */
export async function releaseConsentHolds(tx: Sql, dialKeys: readonly string[]): Promise<number[]> {
  const campaigns = await tx.rows(sql<{ id: number }>`
    select distinct campaign_id as id from contact where dial_key = any(${texts(dialKeys)}) and deleted_at is null limit ${MAX_CAMPAIGNS}`);
  await awaitClaims(
    tx,
    campaigns.map(({ id }) => id),
  );
  return releaseHolds(tx, { dialKeys, reasons: ['consent_missing'] });
}
