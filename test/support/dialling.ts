import type { Evidence } from '#attempts/decisions/evidence.ts';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { dialStore } from '#dialling/dial-statements.ts';
import { insertContacts } from '#contacts/contact-store.ts';
import { eachText } from '#contacts/contact.ts';
import { numbersOf, storedNumbers } from '#contacts/decisions/numbers.ts';
import { texts, uuids } from '#platform/postgres/values.ts';
import { systemIds } from '#kernel/ids.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import type { ResultReport } from '#outcomes/outcome-store.ts';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import type { SlotGrant } from '#slots/slot-registry.ts';
import { freshDatabase } from '#test/support/database.ts';
import type { ClaimOutcome, ClaimRequest, DialStore } from '#dialling/dial-store.ts';

export interface Dialling {
  db: Database;
  dials: DialStore;
  url: string;
  close(): Promise<void>;
}

/** A migrated database of this file's own with the store under test. */
export async function openDialling(poolSize = 8): Promise<Dialling> {
  const fresh = await freshDatabase();
  const db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize, statementTimeoutMs: 20_000 });
  return {
    db,
    dials: dialStore(db),
    url: fresh.url,
    close: async () => {
      await db.close();
      await fresh.drop();
    },
  };
}

/**
 * A stored instant that is due at once: columns hold whole milliseconds, and now() alone would be rounded into the future half of the time.
 */
export const DUE = sql`now() - interval '1 millisecond'`;

export interface CampaignOptions {
  status?: CampaignStatus;
  maxRetries?: number;
  retryIntervalSeconds?: number;
  retryAnsweredWithoutResult?: boolean;
  retryUnknown?: boolean;
}

export async function addCampaign(db: Database, options: CampaignOptions = {}): Promise<number> {
  const {
    status = 'running',
    maxRetries = 1,
    retryIntervalSeconds = 300,
    retryAnsweredWithoutResult = false,
    retryUnknown = false,
  } = options;
  await db.run(sql`
    insert into business (business_code, business_name, runtime_brings_flow) values ('visit', '回访', true) on conflict do nothing`);
  const row = await db.first(sql<{ id: number }>`
    insert into campaign (name, business_code, status, max_retries, retry_interval_seconds, retry_answered_without_result, retry_unknown, next_wake_at)
    values ('回访', 'visit', ${status}, ${maxRetries}, ${retryIntervalSeconds}, ${retryAnsweredWithoutResult}, ${retryUnknown}, ${DUE}) returning id`);
  return row?.id ?? 0;
}

/** The numbers of a contact that is written as `13800138000/13900139000转801`. */
export function numbersOfContact(written: string) {
  const given = written.split('/').map(phoneNumber => ({ phoneNumber, label: '', extension: '' }));
  return numbersOf(given[0]?.phoneNumber ?? '', given, 'CN');
}

/** Inserts contacts with these numbers, in this order; returns their ids. Several numbers of one contact stand between slashes. */
export async function addContacts(db: Database, campaignId: number, written: readonly string[]): Promise<number[]> {
  const phoneNumbers = written.map(each => each.split('/')[0] ?? '');
  const rows = written.map((each, index) => ({
    phoneNumber: phoneNumbers[index] ?? '',
    dialKey: dialKey(phoneNumbers[index] ?? '', 'CN'),
    ...eachText(() => ''),
    customerName: '李雷',
    zones: null,
    numbers: storedNumbers(numbersOfContact(each)),
    metadata: { city: '北京' },
  }));
  await db.transaction(tx => insertContacts(tx, campaignId, rows, { admit: () => undefined, holdsStatus: true }));
  const added = await db.rows(sql<{ id: number }>`
    select id from contact where campaign_id = ${campaignId} and phone_number = any(${texts(phoneNumbers)}) and deleted_at is null order by id`);
  return added.map(({ id }) => id);
}

let unusedNumber = 13_900_000_000;

/** Without `first` the numbers are unique to this call: a number in a call is not claimed. */
export function phoneNumbers(count: number, first?: number): string[] {
  const from = first ?? unusedNumber;
  if (first === undefined) unusedNumber += count;
  return Array.from({ length: count }, (_, index) => String(from + index));
}

export function grants(count: number, number: string | null = '01012345678'): SlotGrant[] {
  return Array.from({ length: count }, () => ({ requestId: systemIds(), lineId: 1, number, cellId: 'cell-1', startsInMs: 0 }));
}

/** A claim that admits everything under the current rules. */
export async function claimRequest(db: Database, campaignId: number, changes: Partial<ClaimRequest> = {}): Promise<ClaimRequest> {
  const rules = await db.first(sql<{ version: number; updatedAt: number }>`
    select version, (select updated_at from campaign where id = ${campaignId}) as "updatedAt" from rules_version`);
  return {
    campaignId,
    grants: grants(10),
    source: 'auto',
    requestedLimit: 10,
    effectiveLimit: 10,
    createdBy: null,
    instanceId: 'test',
    campaignUpdatedAt: rules?.updatedAt ?? 0,
    policyVersion: rules?.version ?? 0,
    frequencyDays: 0,
    validUntil: null,
    admit: () => ({ kind: 'admit' }),
    script: null,
    ...changes,
  };
}

export type Claimed = Extract<ClaimOutcome, { kind: 'claimed' }>;

export async function claim({ db, dials }: Dialling, campaignId: number, changes: Partial<ClaimRequest> = {}): Promise<Claimed> {
  const outcome = await dials.claim(await claimRequest(db, campaignId, changes));
  if (outcome.kind !== 'claimed') throw new Error(`expected a claim, got ${JSON.stringify(outcome)}`);
  return outcome;
}

/** Marks attempts as dialing and returns the ids marked. */
export async function mark({ dials }: Pick<Dialling, 'dials'>, requestIds: readonly string[]): Promise<string[]> {
  return (await dials.markDialing(requestIds)).map(({ requestId }) => requestId);
}

/** Claims `count` contacts and takes them to the accepted call, which began two hours ago, so that a test may set later instants. */
export async function dial(dialling: Dialling, campaignId: number, count = 1): Promise<Claimed> {
  const claimed = await claim(dialling, campaignId, { grants: grants(count) });
  const requestIds = claimed.dials.map(({ requestId }) => requestId);
  await dialling.dials.markDialing(requestIds);
  await dialling.dials.recordProgress(requestIds.map(requestId => ({ requestId, replyText: '+OK' })));
  await dialling.db.run(sql`update attempt set started_at = now() - interval '2 hours' where request_id = any(${uuids(requestIds)})`);
  return claimed;
}

/** A single contact of a campaign of its own, and its call. */
export interface OneCall {
  campaign: number;
  contact: number;
  phoneNumber: string;
  batchId: number;
  requestId: string;
  attemptId: number;
}

interface OneCallOptions extends CampaignOptions {
  /** Absent: a number that no other call has given. */
  phoneNumber?: string;
  source?: ClaimRequest['source'];
}

/** Claims the only contact of a new campaign. */
export function claimOne(dialling: Dialling, { source = 'auto', ...options }: OneCallOptions = {}): Promise<OneCall> {
  return callOne(dialling, options, campaign => claim(dialling, campaign, { source }));
}

/** Dials the only contact of a new campaign; the call is accepted. */
export function dialOne(dialling: Dialling, options: OneCallOptions = {}): Promise<OneCall> {
  return callOne(dialling, options, campaign => dial(dialling, campaign));
}

async function callOne(
  { db }: Dialling,
  { phoneNumber = phoneNumbers(1).join(), ...options }: OneCallOptions,
  call: (campaign: number) => Promise<Claimed>,
): Promise<OneCall> {
  const campaign = await addCampaign(db, options);
  const [contact = 0] = await addContacts(db, campaign, [phoneNumber]);
  const { batchId, dials } = await call(campaign);
  const [first] = dials;
  if (first === undefined) throw new Error('the contact was not claimed');
  return { campaign, contact, phoneNumber, batchId, requestId: first.requestId, attemptId: first.attemptId };
}

export function report(changes: Partial<ResultReport>): ResultReport {
  return {
    requestId: null,
    attemptId: null,
    callStatus: null,
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    durationSeconds: null,
    hangupCause: null,
    hangupBy: null,
    recordingUrl: null,
    classification: null,
    intent: null,
    recognizedText: null,
    optOut: false,
    optOutReason: null,
    transcript: [],
    payload: null,
    ...changes,
  };
}

export function settled(requestId: string, changes: Partial<Parameters<DialStore['settle']>[0][number]> = {}) {
  return {
    requestId,
    status: 'failed' as const,
    callStatus: 'busy' as const,
    hangupCause: 'USER_BUSY',
    hangupBy: null,
    replyText: null,
    endedAt: null,
    answeredAt: null,
    ...changes,
  };
}

export interface ContactRow {
  id: number;
  /** The number to dial next. */
  phoneNumber: string;
  status: string;
  attemptCount: number;
  retryAt: number | null;
  lastAttemptId: number | null;
  lastCallerNumber: string | null;
  holdReason: string | null;
  holdUntil: number | null;
}

export async function contactRow(db: Database, contactId: number): Promise<ContactRow> {
  const row = await db.first(sql<ContactRow>`
    select id, phone_number as "phoneNumber", status, attempt_count as "attemptCount", retry_at as "retryAt", last_attempt_id as "lastAttemptId",
      last_caller_number as "lastCallerNumber", hold_reason as "holdReason", hold_until as "holdUntil" from contact where id = ${contactId}`);
  if (!row) throw new Error(`no contact ${contactId}`);
  return row;
}

export interface AttemptRow {
  id: number;
  status: string;
  callStatus: string | null;
  replyText: string;
  hangupCause: string | null;
  dialingAt: number | null;
  startedAt: number | null;
  acceptedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
  recordingUrl: string | null;
  classification: string | null;
  intent: string | null;
  payload: unknown;
  outcome: string | null;
  evidence: Evidence | null;
}

export async function attemptRow(db: Database, requestId: string): Promise<AttemptRow> {
  const row = await db.first(sql<AttemptRow>`
    select id, status, call_status as "callStatus", reply_text as "replyText", hangup_cause as "hangupCause", dialing_at as "dialingAt",
      started_at as "startedAt", accepted_at as "acceptedAt", answered_at as "answeredAt", ended_at as "endedAt",
      duration_seconds as "durationSeconds", recording_url as "recordingUrl", classification, intent, payload, outcome, evidence
    from attempt where request_id = ${requestId}::uuid`);
  if (!row) throw new Error(`no attempt ${requestId}`);
  return row;
}

export async function batchRow(
  db: Database,
  batchId: number,
): Promise<{ status: string; requested: number; submitted: number; failed: number; finishedAt: number | null } | undefined> {
  return db.first(sql`select status, requested, submitted, failed, finished_at as "finishedAt" from batch where id = ${batchId}`);
}
