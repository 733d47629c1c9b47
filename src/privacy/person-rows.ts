import { type RawBuilder, sql } from 'kysely';
import { removeAgentCalls, removeAttempts, removeConferences } from '#attempts/remove-attempts.ts';
import { endConsents } from '#consent/consent-store.ts';
import { eraseFromLists } from '#lists/erase-rows.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { OPEN } from '#attempts/attempt-store.ts';
import { ids, json, texts } from '#platform/postgres/values.ts';
import { isFoundInTexts, spellingsOf, withoutNumber } from '#phone-numbers/phone-number.ts';
import { SOFTPHONE_OPEN } from '#contacts/contact-store.ts';

/** One call of a person, placed by a campaign or by an agent. */
export interface CallOfPerson {
  id: number;
  requestId: string;
}

/** The next calls of a person, a bounded number of each kind. */
export interface CallsOfPerson {
  attempts: CallOfPerson[];
  agentCalls: CallOfPerson[];
}

/** Numbers of deleted rows; `recordings` counts names, and `auditRows` were masked rather than deleted. */
export interface ErasedCounts {
  contacts: number;
  attempts: number;
  transcripts: number;
  recordings: number;
  agentCalls: number;
  conferences: number;
  events: number;
  auditRows: number;
}

/** Most calls of each kind, and contacts, deleted in one transaction. */
const CALLS = 200;
/** Audit rows examined by one statement, and the most of them that it masks. */
const AUDIT_ROWS = 20_000;
const MASKED_ROWS = 500;
/** Frequent actions whose audit rows never contain a number. */
const NUMBERLESS = [
  'user.logged_in',
  'user.logged_out',
  'call.watched',
  'captions.read',
  'transcript.read',
  'steps.read',
  'recording.read',
  'recording.played',
  'recording.downloaded',
];

export type PersonRows = ReturnType<typeof personRows>;

/**
 * Data kept about the person with a number, except the do-not-call list. Numbers are compared by their dial keys (D8.7).
 *
 * Errors: DATABASE_UNAVAILABLE
 */
export function personRows(db: Database) {
  return {
    /**
     * The keys of the person: the number itself, and those beside it that no other contact has.
     *
     * Why: a number that two persons share, such as that of a switchboard, belongs to whoever remains
     */
    findKeys: (dialKey: string) => findKeys(db, dialKey),
    /** Returns null while a call with one of the numbers is in progress or claimed. */
    findCalls: async (dialKeys: readonly string[]) => ((await isBusy(db, dialKeys)) ? null : findCalls(db, dialKeys)),
    /**
     * Deletes these calls with everything that belongs to them, and contacts without remaining calls; null when a call has begun meanwhile.
     *
     * Why: audit rows about deleted data lose its values in the same transaction, because nothing would lead to them later
     */
    erase: (dialKeys: readonly string[], calls: CallsOfPerson) => db.transaction(tx => erase(tx, dialKeys, calls)),
    /** Deletes follow-up lists and reports whose filter or name contains the number: they would find nobody any more. */
    removeLists: (dialKey: string) => removeLists(db, dialKey),
    /** Ends the consents of the ledger, which itself is kept. */
    endConsents: (dialKey: string) => endConsents(db, dialKey),
    /** Masks the number in the audit rows that follow `after` (start with 0); `next` is null at the end. */
    maskAuditRows: (dialKey: string, after: number) => db.transaction(tx => maskAuditRows(tx, dialKey, after)),
  };
}

async function findKeys(db: Sql, dialKey: string): Promise<string[]> {
  const rows = await db.rows(sql<{ dialKey: string }>`
    with person as materialized (select contact_id from contact_number where dial_key = ${dialKey})
    select distinct n.dial_key from contact_number n join person p on p.contact_id = n.contact_id
    where n.dial_key <> ${dialKey} and not exists (
      select from contact_number other where other.dial_key = n.dial_key and other.contact_id not in (select contact_id from person))`);
  return [dialKey, ...rows.map(row => row.dialKey)];
}

async function removeLists(db: Sql, dialKey: string): Promise<void> {
  if (!isFoundInTexts(dialKey)) return;
  await db.run(sql`delete from follow_up_list where concat(calls, ' ', contacts, ' ', address, ' ', name) ~ ${spellingsOf(dialKey)}`);
  await db.run(sql`delete from report_schedule where concat(export, ' ', name) ~ ${spellingsOf(dialKey)}`);
  await db.run(sql`delete from saved_report where concat(question, ' ', name) ~ ${spellingsOf(dialKey)}`);
}

type Keys = readonly string[];

/** Separate scans, because existing and deleted contacts have separate indexes; and contacts that have a key among several. */
const contactsOf = (dialKeys: Keys) => sql`
  (select id from contact where dial_key = any(${texts(dialKeys)}) and deleted_at is null
   union all select id from contact where dial_key = any(${texts(dialKeys)}) and deleted_at is not null
   union all select contact_id from contact_number where dial_key = any(${texts(dialKeys)}))`;

/** Attempt ids; separate branches cover undialled and claimed attempts, which the index of dials omits. */
const attemptsOf = (dialKeys: Keys) => sql`
  (select a.id from attempt a where a.dial_key = any(${texts(dialKeys)}) and a.dialing_at is not null
   union select a.id from attempt a where a.dial_key = any(${texts(dialKeys)}) and a.dialing_at is null and not (${OPEN})
   union select a.id from attempt a where a.dial_key = any(${texts(dialKeys)}) and a.status = 'claimed'
   union select a.id from attempt a where a.contact_id in ${contactsOf(dialKeys)}
   union select a.id from attempt a where a.tested_contact_id in ${contactsOf(dialKeys)})`;

const agentCallsOf = (dialKeys: Keys) => sql`
  (select s.id from softphone_call s where s.dial_key = any(${texts(dialKeys)}) and s.dial_key <> ''
   union select s.id from softphone_call s where s.contact_id in ${contactsOf(dialKeys)}
   union select s.id from softphone_call s where s.attempt_id in ${attemptsOf(dialKeys)})`;

async function isBusy(db: Sql, dialKeys: Keys): Promise<boolean> {
  const busy = await db.first(sql`
    select 1 from attempt a where a.id in ${attemptsOf(dialKeys)} and ${OPEN}
    union all select 1 from softphone_call s where s.id in ${agentCallsOf(dialKeys)} and ${SOFTPHONE_OPEN}
    union all select 1 from conference_session c where c.attempt_id in ${attemptsOf(dialKeys)} and c.status <> 'ended' limit 1`);
  return busy !== undefined;
}

async function findCalls(db: Sql, dialKeys: Keys): Promise<CallsOfPerson> {
  const read = (table: 'attempt' | 'softphone_call', which: RawBuilder<unknown>) =>
    db.rows(sql<CallOfPerson>`
      select c.id, c.request_id from ${sql.table(table)} c where c.id in ${which} order by c.id limit ${CALLS}`);
  return { attempts: await read('attempt', attemptsOf(dialKeys)), agentCalls: await read('softphone_call', agentCallsOf(dialKeys)) };
}

/** Locks the contacts first, so that a claim or an agent's call decides either before or after this transaction. */
async function erase(tx: Sql, dialKeys: Keys, calls: CallsOfPerson): Promise<ErasedCounts | null> {
  const contacts = await tx.rows(sql<{ id: number }>`
    select id from contact where id in ${contactsOf(dialKeys)} order by id limit ${CALLS} for update`);
  if (await isBusy(tx, dialKeys)) return null;
  const attemptIds = calls.attempts.map(({ id }) => id);
  const conferenceIds = await conferencesOf(tx, calls);
  const agentCallIds = await withPartsIn(tx, calls, conferenceIds);
  if (await isAnyRunning(tx, agentCallIds, conferenceIds)) return null;
  const contactIds = contacts.map(({ id }) => id);
  const auditRows = await maskTargets(tx, contactIds, agentCallIds);
  const recordings = await countRecordings(tx, { attemptIds, agentCallIds, conferenceIds });
  const events = await tx.run(sql`delete from runtime_event where attempt_id = any(${ids(attemptIds)})`);
  await removeAgentCalls(tx, agentCallIds);
  await removeConferences(tx, conferenceIds);
  const transcripts = await removeAttempts(tx, attemptIds);
  await eraseFromLists(tx, dialKeys);
  return {
    contacts: await deleteContacts(tx, contactIds),
    attempts: attemptIds.length,
    transcripts,
    recordings,
    agentCalls: agentCallIds.length,
    conferences: conferenceIds.length,
    events,
    auditRows,
  };
}

/** Conferences in which the person was the customer; a conference that the person was merely added to belongs to another customer. */
async function conferencesOf(tx: Sql, { attempts, agentCalls }: CallsOfPerson): Promise<number[]> {
  const uuids = [...attempts, ...agentCalls].map(({ requestId }) => requestId);
  const rows = await tx.rows(sql<{ id: number }>`
    select id from conference_session where attempt_id = any(${ids(attempts.map(({ id }) => id))})
    union select id from conference_session where customer_uuid = any(${texts(uuids)})
    union select conference_id::int from softphone_call
      where id = any(${ids(agentCalls.map(({ id }) => id))}) and direction = 'session' and conference_id ~ '^[0-9]{1,9}$'`);
  return rows.map(({ id }) => id);
}

/** Adds the calls of all other participants of these conferences, which are deleted with them. */
async function withPartsIn(tx: Sql, { agentCalls }: CallsOfPerson, conferenceIds: readonly number[]): Promise<number[]> {
  const known = ids(agentCalls.map(({ id }) => id));
  const rows = await tx.rows(sql<{ id: number }>`
    select id from softphone_call where id = any(${known})
    union select id from softphone_call where conference_id = any(${texts(conferenceIds.map(String))})
    union select softphone_call_id from leg where conference_id = any(${ids(conferenceIds)})`);
  return rows.map(({ id }) => id);
}

async function isAnyRunning(tx: Sql, agentCallIds: readonly number[], conferenceIds: readonly number[]): Promise<boolean> {
  const running = await tx.first(sql`
    select 1 from softphone_call s where s.id = any(${ids(agentCallIds)}) and ${SOFTPHONE_OPEN}
    union all select 1 from conference_session where id = any(${ids(conferenceIds)}) and status <> 'ended' limit 1`);
  return running !== undefined;
}

async function countRecordings(
  tx: Sql,
  {
    attemptIds,
    agentCallIds,
    conferenceIds,
  }: { attemptIds: readonly number[]; agentCallIds: readonly number[]; conferenceIds: readonly number[] },
): Promise<number> {
  const row = await tx.first(sql<{ names: number }>`
    select (select count(recording_url) from attempt where id = any(${ids(attemptIds)}))
         + (select count(recording_url) from softphone_call where id = any(${ids(agentCallIds)}))
         + (select count(recording_url) from conference_session where id = any(${ids(conferenceIds)})) as names`);
  return row?.names ?? 0;
}

/** A contact stays until the slice that deletes its last call. */
function deleteContacts(tx: Sql, contactIds: readonly number[]): Promise<number> {
  return tx.run(sql`
    delete from contact k where k.id = any(${ids(contactIds)})
      and not exists (select 1 from attempt a where a.contact_id = k.id)
      and not exists (select 1 from softphone_call s where s.contact_id = k.id)`);
}

/** Masks old and new values of a contact, notes, and text spoken to a customer: the member names stay, their values do not. */
function maskTargets(tx: Sql, contactIds: readonly number[], agentCallIds: readonly number[]): Promise<number> {
  const veiled = sql`(
    select jsonb_object_agg(m.key, case
      when m.key in ('before', 'after') and jsonb_typeof(m.value) = 'object'
        then (select coalesce(jsonb_object_agg(i.key, '***'), '{}') from jsonb_each(m.value) i)
      when m.key = 'text' then '"***"'::jsonb else m.value end)
    from jsonb_each(l.detail) m)`;
  const about = (type: string, targets: readonly number[]) =>
    sql`select id from audit_log where target_type = ${type} and target_id = any(${texts(targets.map(String))})`;
  return tx.run(sql`
    update audit_log l set detail = ${veiled}
    where l.id in (${about('contact', contactIds)} union all ${about('softphone_call', agentCallIds)})
      and jsonb_typeof(l.detail) = 'object' and l.detail <> '{}' and l.detail <> ${veiled}`);
}

interface AuditTexts {
  id: number;
  summary: string;
  targetId: string | null;
  detail: unknown;
}

async function maskAuditRows(tx: Sql, dialKey: string, after: number): Promise<{ masked: number; next: number | null }> {
  const page = await tx.first(sql<{ rows: number; last: number | null }>`
    select count(*) as rows, max(id) as last from (select id from audit_log where id > ${after} order by id limit ${AUDIT_ROWS}) as page`);
  const spellings = spellingsOf(dialKey);
  const rows = await tx.rows(sql<AuditTexts>`
    select id, summary, target_id, detail from audit_log
    where id > ${after} and id <= ${page?.last ?? 0} and action <> all(${texts(NUMBERLESS)})
      and (detail::text ~ ${spellings} or summary ~ ${spellings} or target_id ~ ${spellings})
    order by id limit ${MASKED_ROWS} for no key update`);
  const masked = rows.flatMap(({ id, ...before }) => {
    const now = withoutNumber(before, dialKey) as Omit<AuditTexts, 'id'>;
    return JSON.stringify(now) === JSON.stringify(before) ? [] : [{ id, ...now }];
  });
  if (masked.length > 0) {
    await tx.run(sql`
      update audit_log l set summary = m.summary, target_id = m."targetId", detail = m.detail
      from jsonb_to_recordset(${json(masked)}) as m(id bigint, summary text, "targetId" text, detail jsonb) where l.id = m.id`);
  }
  if (rows.length === MASKED_ROWS) return { masked: masked.length, next: rows.at(-1)?.id ?? null };
  return { masked: masked.length, next: page?.rows === AUDIT_ROWS ? page.last : null };
}
