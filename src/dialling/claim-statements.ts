import { type RawBuilder, sql } from 'kysely';
import { refreshBatches } from '#attempts/batch-store.ts';
import type { Evidence, Outcome } from '#attempts/decisions/evidence.ts';
import { tallySum, WAITING } from '#campaigns/campaign-store.ts';
import { SOFTPHONE_OPEN } from '#contacts/contact-store.ts';
import { contactOutcome } from '#outcomes/decisions/contact-outcome.ts';
import { NEVER_DIALLED } from '#outcomes/decisions/outcome.ts';
import { limitsQuery, retryLimits } from '#outcomes/retry-limits.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Steps } from '#platform/postgres/hot-sql.ts';
import { instant, json } from '#platform/postgres/values.ts';
import type { SlotGrant } from '#slots/slot-registry.ts';
import { changeNumbers, type ContactNumberChange } from '#contacts/contact-number-statements.ts';
import { numberQueue, onNextNumber } from '#outcomes/decisions/next-number.ts';
import { asPersonNumber, chooseNumber, extensionOf } from './decisions/choose-number.ts';
import {
  type AdmittedRow,
  type CandidateRow,
  claimsTakeTurns,
  lockCandidates,
  seenDials,
  type SeenDials,
  type Verdicts,
} from './claim-candidates.ts';
import { matchGrants } from './decisions/slot-offer.ts';
import type { ClaimedDial, ClaimOutcome, ClaimRequest, DialGrant, DialStore, InvalidDial } from './dial-store.ts';
import { isInCall, lockNumbers, mayDispatch } from './queue-conditions.ts';

interface WrittenClaim {
  dials: ClaimedDial[];
  invalid: InvalidDial[];
  /** Null when no attempt was written. */
  batchId: number | null;
}

/** Limit of the column and of GraphQL's Int; the requested limit itself is unbounded. */
const MAX_INT4 = 2_147_483_647;

/** An attempt to insert; one with a call status ends before it reaches a switch (D4.5) and gets an id of its own. */
interface NewAttempt extends Partial<Pick<SlotGrant, 'requestId' | 'lineId' | 'number' | 'cellId'>> {
  contactId: number;
  contactStatus: string;
  callStatus?: string;
  retryAt?: number | null;
  outcome?: Outcome;
  evidence?: Evidence;
  validUntil?: number | null;
  isUnreachable?: boolean;
  isCounted?: boolean;
  /** Absent: the contact's. */
  phoneNumber?: string;
  dialKey?: string;
}

interface WrittenAttempt {
  id: number;
  requestId: string;
  contactId: number;
  phoneNumber: string;
  batchId: number;
}

/** Writes holds, batch and attempts, updates the contacts, and commits. */
async function writeClaim(tx: Steps, request: ClaimRequest, verdicts: Verdicts): Promise<WrittenClaim> {
  const { admitted, failed, held } = verdicts;
  if (admitted.length + failed.length + held.length === 0) return { dials: [], invalid: [], batchId: null };
  const granted = grantedContacts(admitted, request);
  const claims = granted.map(({ contact: { contactId, phoneNumber, dialKey, validUntil }, grant }) => ({
    ...grant,
    contactId,
    phoneNumber,
    dialKey,
    validUntil,
    contactStatus: 'submitted',
  }));
  const ended = await endings(tx, request, verdicts);
  const statements = [
    lockNumbers(granted.map(({ contact }) => contact.dialKey)),
    claimStatement(request, verdicts, [...claims, ...ended.map(({ attempt }) => attempt)]),
    ...changeNumbers([...granted.flatMap(({ contact }) => otherNumber(contact)), ...ended.flatMap(({ change }) => change ?? [])]),
  ] as const;
  const rows = await write(tx, statements, failed.length > 0);
  const written = new Map(rows.map(row => [row.contactId, row]));
  const dials = granted.flatMap(({ contact, grant }) => {
    const attempt = written.get(contact.contactId);
    return attempt ? [dialOf(contact, grant, attempt)] : [];
  });
  const invalid = failed.flatMap(({ row }) => {
    const attempt = written.get(row.contactId);
    return attempt ? [{ attemptId: attempt.id, requestId: attempt.requestId, contactId: row.contactId, phoneNumber: row.phoneNumber }] : [];
  });
  return { dials, invalid, batchId: rows[0]?.batchId ?? null };
}

interface GrantedContact {
  contact: AdmittedRow;
  grant: DialGrant;
}

/** The contacts with their slots; one for which no number was chosen stays in the queue. Source: D4.3 */
function grantedContacts(admitted: readonly AdmittedRow[], { grants }: ClaimRequest): GrantedContact[] {
  const matched = matchGrants(admitted, grants);
  return admitted.flatMap((contact, index) => {
    const grant = matched[index];
    return grant ? [{ contact, grant }] : [];
  });
}

/** Recounts the batch if some of its attempts have ended already. */
async function write(
  tx: Steps,
  statements: readonly [lock: RawBuilder<unknown>, claim: RawBuilder<WrittenAttempt>, ...numbers: RawBuilder<unknown>[]],
  isCounted: boolean,
): Promise<WrittenAttempt[]> {
  if (!isCounted) return (await tx.last(...statements))[1];
  const [, rows] = await tx.step(...statements);
  await tx.last(...refreshBatches([rows[0]?.batchId ?? null]));
  return rows;
}

/** A contact is dialled at another number than the one that stood in it. */
function otherNumber({ contactId, dialKey, numbers, ownKey }: AdmittedRow): ContactNumberChange[] {
  return numbers.length === 0 || dialKey === ownKey ? [] : [{ contactId, dialKey, verdict: null, next: dialKey }];
}

function dialOf(contact: CandidateRow, { requestId, lineId, number, cellId, startsInMs }: SlotGrant, attempt: WrittenAttempt): ClaimedDial {
  const { contactId, previousRequestId, isRetry, phoneNumber, dialKey, customerName, metadata } = contact;
  const { id: attemptId, batchId } = attempt;
  const call = { requestId, lineId, callerNumber: number, cellId, startsInMs };
  const told = { customerName, metadata, mailboxText: contact.mailboxText, callback: contact.callback };
  const callee = { phoneNumber, dialKey, extension: extensionOf(contact) };
  return { ...call, ...told, ...callee, attemptId, batchId, contactId, previousRequestId, isRetry };
}

interface FailedAtOnce {
  attempt: NewAttempt;
  /** For a contact with several numbers. */
  change: ContactNumberChange | null;
}

/** Attempts of contacts that fail at once, because their number cannot be dialled. */
async function endings(tx: Steps, { campaignId }: ClaimRequest, { failed, at }: Verdicts): Promise<FailedAtOnce[]> {
  if (failed.length === 0) return [];
  const [rows] = await tx.step(limitsQuery(sql`select ${campaignId}::int`));
  const limits = retryLimits(rows)(campaignId);
  return failed.map(({ row: { contactId, dialKey, attemptCount, numbers }, callStatus }) => {
    const outcome = contactOutcome({ callStatus, attemptCount: attemptCount + 1, endedAt: at, ...limits });
    const persons = numbers.map(number => asPersonNumber(number, at));
    const { next } = numberQueue({ numbers: persons, dialKey }, NEVER_DIALLED.outcome);
    const { retryAt, contactStatus, isUnreachable, isCounted } = next === null ? outcome : onNextNumber(outcome, at);
    const change = { contactId, dialKey, verdict: 'invalid_number' as const, next };
    const attempt = { contactId, callStatus, retryAt, contactStatus, isUnreachable, isCounted, ...NEVER_DIALLED };
    return { attempt, change: numbers.length === 0 ? null : change };
  });
}

/**
 * A single statement; creates the batch only if there is an attempt. It skips a contact with another open attempt (attempt_one_open), and one
 * that an agent or another campaign has begun to call since it was selected: the statement sees everything committed before contact and
 * number were locked. Contacts are looked up one by one: the planner charges the checks of each to the look-up, and would rather read all
 * contacts.
 */
function claimStatement(request: ClaimRequest, { held, at }: Verdicts, attempts: readonly NewAttempt[]): RawBuilder<WrittenAttempt> {
  const { campaignId, source, effectiveLimit, createdBy, script } = request;
  const holds = held.map(({ row: { contactId }, reason, until }) => ({ contactId, reason, until }));
  const requestedLimit = Math.max(-MAX_INT4, Math.min(request.requestedLimit, MAX_INT4));
  return sql<WrittenAttempt>`
    with batch_key as materialized (select nextval(pg_get_serial_sequence('batch', 'id')) as id),
    wanted as (
      select w.*, w."callStatus" is not null as is_over from jsonb_to_recordset(${json(attempts)}) as w("requestId" uuid, "contactId" bigint,
        "lineId" int, number text, "cellId" text, "callStatus" text, "contactStatus" text, "retryAt" float8,
        "validUntil" float8, "isUnreachable" boolean, "isCounted" boolean, outcome text, evidence jsonb, "phoneNumber" text, "dialKey" text)),
    inserted as (
      insert into attempt (request_id, campaign_id, contact_id, batch_id, line_id, caller_number, cell_id, phone_number, dial_key, status,
        call_status, outcome, evidence, script_id, script_version, instance_id, policy_version, valid_until, claimed_at, ended_at, duration_seconds)
      select coalesce(w."requestId", gen_random_uuid()), c.campaign_id, c.id, b.id, w."lineId", w.number, w."cellId", coalesce(w."phoneNumber", c.phone_number), coalesce(w."dialKey", c.dial_key),
        case when w.is_over then 'failed' else 'claimed' end, w."callStatus", w.outcome, w.evidence, ${script?.scriptId ?? null}::int, ${script?.version ?? null}::int,
        ${request.instanceId}, ${request.policyVersion}, to_timestamp(w."validUntil" / 1000),
        case when w.is_over then ${instant(at)} else clock_timestamp() end,
        case when w.is_over then ${instant(at)} end, case when w.is_over then 0 end
      from wanted w cross join batch_key b
      cross join lateral (select id, campaign_id, phone_number, dial_key from contact where id = w."contactId" offset 0) as c
      where (w.is_over or not ${isInCall(sql`coalesce(w."dialKey", c.dial_key)`)})
        and not exists (select 1 from softphone_call s where s.contact_id = c.id and s.direction <> 'conference' and ${SOFTPHONE_OPEN})
      on conflict (contact_id) where status in ('claimed','dialing','accepted','answered') do nothing
      returning id, request_id, contact_id, phone_number, batch_id),
    moved as (
      update contact c set status = w."contactStatus", attempt_count = c.attempt_count + case when w."isCounted" is false then 0 else 1 end, last_attempt_id = i.id,
        retry_at = case when w.is_over then to_timestamp(w."retryAt" / 1000) else c.retry_at end,
        hold_reason = case when w."isUnreachable" then 'invalid_number' else c.hold_reason end
      from inserted i join wanted w on w."contactId" = i.contact_id where c.id = i.contact_id),
    taken_out as (
      update contact c set hold_reason = h.reason, hold_until = to_timestamp(h.until / 1000)
      from jsonb_to_recordset(${json(holds)}) as h("contactId" bigint, reason text, until float8) where c.id = h."contactId"),
    batched as (
      insert into batch (id, campaign_id, source, requested_limit, effective_limit, requested, created_by) overriding system value
      select b.id, ${campaignId}::int, ${source}, ${requestedLimit}::int, ${effectiveLimit}::int, count(*), ${createdBy}::int
      from inserted i join batch_key b on b.id = i.batch_id group by b.id)
    select * from inserted`;
}

/** Limit of queue reads per claim; further contacts are left to the next claim. */
const MAX_ROUNDS = 10;
/** Contacts per read: more than the grants, because some will be put on hold. */
const MIN_ROUND_SIZE = 20;
const MAX_ROUND_SIZE = 200;
const HELD_SHARE = 0.2;

/**
 * Claims contacts for granted slots in one transaction: locks and checks the campaign, locks and decides contacts, writes attempts. Usually
 * takes two round trips: lock and read everything; after the decision, write everything.
 *
 * Why:    planning the query for candidates takes seven times as long as running it, and its plan is the same for every campaign: the queue
 *         is read in the order of its own indexes
 * Source: A6 step 3, D5.5, D7.1, D8.6
 */
export function claimDials(db: Database): DialStore['claim'] {
  return request => db.hot.transaction(tx => claim(tx, request), { byKey: true });
}

async function claim(tx: Steps, request: ClaimRequest): Promise<ClaimOutcome> {
  const missing = request.grants.length;
  const [, [campaign], , rows] = await tx.step(
    ...lockCampaign(request),
    claimsTakeTurns(request),
    candidatesQuery(request, { missing, seen: [] }),
  );
  if (campaign === undefined) return { kind: 'stale' };
  const verdicts = await decideCandidates(tx, request, { rows, at: campaign.at });
  const { batchId, dials, invalid } = await writeClaim(tx, request, verdicts);
  const remainingPending = campaign.pending - leftPending(verdicts, [...dials, ...invalid]);
  const held = verdicts.held.length;
  if (batchId === null) return { kind: 'nothing', remainingPending, held, ...(verdicts.admitted.length > 0 ? { hasDeferred: true } : {}) };
  const used = new Set(dials.map(dial => dial.requestId));
  const unusedRequestIds = request.grants.map(grant => grant.requestId).filter(id => !used.has(id));
  return { kind: 'claimed', batchId, dials, invalid, unusedRequestIds, remainingPending, held };
}

/** Number of contacts that are no longer pending: those put on hold, and those with a written attempt. */
function leftPending({ admitted, held, failed }: Verdicts, written: readonly { contactId: number }[]): number {
  const moved = new Set([...held.map(({ row }) => row.contactId), ...written.map(({ contactId }) => contactId)]);
  const rows = [...admitted, ...held.map(({ row }) => row), ...failed.map(({ row }) => row)];
  return rows.filter(({ contactId, isRetry }) => !isRetry && moved.has(contactId)).length;
}

/**
 * Locks the campaign and then checks it: no row when the campaign or the policies have changed since the plan. `at`: the instant of the claim,
 * UTC ms.
 *
 * Why: the check is a separate statement, so that it sees commits that happened during a possibly long wait for the lock
 */
function lockCampaign({
  campaignId,
  source,
  policyVersion,
  ...plan
}: ClaimRequest): [RawBuilder<unknown>, RawBuilder<{ at: number; pending: number }>] {
  return [
    sql`select id from campaign where id = ${campaignId} for no key update`,
    sql`
    select clock_timestamp() as at, ${tallySum(sql`c.id`, WAITING.pending)} as pending from campaign c join rules_version r on r.version = ${policyVersion}
    where c.id = ${campaignId} and epoch_ms(c.updated_at) = ${plan.campaignUpdatedAt} and ${mayDispatch(sql`${source}::text`)}
      and (${plan.validUntil}::float8 is null or ${instant(plan.validUntil)} > clock_timestamp())`,
  ];
}

interface CandidatePage {
  missing: number;
  seen: readonly number[];
}

function candidatesQuery(request: ClaimRequest, { missing, seen }: CandidatePage): RawBuilder<CandidateRow> {
  const { campaignId, frequencyDays, purposes = [], readsAbandoned = false } = request;
  return lockCandidates({ campaignId, frequencyDays, purposes, readsAbandoned, limit: roundSize(missing), seen });
}

function roundSize(missing: number): number {
  return Math.min(MAX_ROUND_SIZE, Math.max(MIN_ROUND_SIZE, missing + Math.ceil(missing * HELD_SHARE)));
}

async function decideCandidates(tx: Steps, request: ClaimRequest, first: { rows: readonly CandidateRow[]; at: number }): Promise<Verdicts> {
  const { at } = first;
  const verdicts: Verdicts = { at, admitted: [], held: [], failed: [] };
  const dials = seenDials(request, at);
  const seen: number[] = [];
  let { rows } = first;
  for (let round = 1; ; round += 1) {
    const size = roundSize(request.grants.length - verdicts.admitted.length);
    seen.push(...rows.map(row => row.contactId));
    for (const row of rows) decide(request, verdicts, { row, at, dials });
    const missing = request.grants.length - verdicts.admitted.length;
    if (missing === 0 || rows.length < size || round === MAX_ROUNDS) return verdicts;
    [rows] = await tx.step(candidatesQuery(request, { missing, seen }));
  }
}

interface Decided {
  row: CandidateRow;
  at: number;
  dials: SeenDials;
}

function decide(request: ClaimRequest, verdicts: Verdicts, { row, at, dials }: Decided): void {
  if (verdicts.admitted.length === request.grants.length) return;
  const asked = { ...row, isInCall: row.isInCall || dials.has(row), recentDials: dials.of(row) };
  const { verdict, candidate } = chooseNumber(request.admit, asked, at);
  if (verdict.kind === 'hold') verdicts.held.push({ row, reason: verdict.reason, until: verdict.until });
  else if (verdict.kind === 'fail') verdicts.failed.push({ row, callStatus: verdict.callStatus });
  else {
    const validUntil = verdict.validUntil === undefined ? request.validUntil : verdict.validUntil;
    verdicts.admitted.push({ ...candidate, ownKey: row.dialKey, validUntil });
    dials.add(row);
  }
}
