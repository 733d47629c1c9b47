import { sql } from 'kysely';
import { contactOutcome } from '../decisions/contact-outcome.ts';
import type { ClaimedDial, ClaimRequest, InvalidDial } from '#ports/dial-store.ts';
import type { CandidateRow, Verdicts } from './dial-candidates.ts';
import type { Sql } from '#adapters/postgres/database.ts';
import { refreshBatches } from './dial-batches.ts';
import { matchGrants } from '../decisions/dial-grants.ts';
import { SOFTPHONE_OPEN } from '#adapters/postgres/softphone-columns.ts';
import { retryLimits } from './retry-limits.ts';
import { instant, json } from '#adapters/postgres/values.ts';

export interface WrittenClaim {
  batchId: number;
  dials: ClaimedDial[];
  invalid: InvalidDial[];
  unusedRequestIds: string[];
}

/** Takes contacts out of the queue for a reason of their own; one without an end lasts until `releaseHolds`. */
export async function holdContacts(tx: Sql, held: Verdicts['held']): Promise<void> {
  if (held.length === 0) return;
  await tx.run(sql`
    update contact c set hold_reason = h.reason, hold_until = to_timestamp(h.until / 1000)
    from jsonb_to_recordset(${json(held)}) as h("contactId" bigint, reason text, until float8) where c.id = h."contactId"`);
}

/** Writes batch and attempts and moves the contacts; null when nothing was written. */
export async function writeClaim(tx: Sql, request: ClaimRequest, verdicts: Verdicts): Promise<WrittenClaim | null> {
  const { admitted, failed } = verdicts;
  if (admitted.length + failed.length === 0) return null;
  const batchId = await insertBatch(tx, request, admitted.length + failed.length);
  const dials = await insertDials(tx, request, { batchId, admitted });
  const invalid = await insertFailed(tx, request, { batchId, failed });
  const written = dials.length + invalid.length;
  if (written === 0) return discardBatch(tx, batchId);
  if (written < admitted.length + failed.length) await tx.run(sql`update batch set requested = ${written} where id = ${batchId}`);
  if (invalid.length > 0) await refreshBatches(tx, [batchId]);
  const used = new Set(dials.map(dial => dial.requestId));
  const unusedRequestIds = request.grants.map(grant => grant.requestId).filter(id => !used.has(id));
  return { batchId, dials, invalid, unusedRequestIds };
}

/** What the column and GraphQL's Int hold; what was asked for has no bound. */
const MAX_INT4 = 2_147_483_647;

async function insertBatch(tx: Sql, request: ClaimRequest, requested: number): Promise<number> {
  const requestedLimit = Math.max(-MAX_INT4, Math.min(request.requestedLimit, MAX_INT4));
  const row = await tx.first(sql<{ id: number }>`
    insert into batch (campaign_id, source, requested_limit, effective_limit, requested, created_by)
    values (${request.campaignId}, ${request.source}, ${requestedLimit}, ${request.effectiveLimit}, ${requested}, ${request.createdBy})
    returning id`);
  if (!row) throw new Error('insert returned no row');
  return row.id;
}

async function discardBatch(tx: Sql, batchId: number): Promise<null> {
  await tx.run(sql`delete from batch where id = ${batchId}`);
  return null;
}

/**
 * A contact whose attempt meets another open one (attempt_one_open) is skipped, and one whom an agent has begun to call since it was picked:
 * this statement sees what was committed before the contact was locked.
 */
async function insertDials(
  tx: Sql,
  request: ClaimRequest,
  { batchId, admitted }: { batchId: number; admitted: readonly CandidateRow[] },
): Promise<ClaimedDial[]> {
  if (admitted.length === 0) return [];
  const grants = matchGrants(admitted, request.grants);
  const rows = grants.map((grant, index) => ({ ...grant, contactId: admitted[index]?.contactId }));
  const inserted = await tx.rows(sql<{ id: number; requestId: string }>`
    with wanted as (
      select * from jsonb_to_recordset(${json(rows)}) as w("requestId" uuid, "contactId" bigint, "lineId" int, number text, "cellId" text)),
    inserted as (
      insert into attempt (request_id, campaign_id, contact_id, batch_id, line_id, caller_number, cell_id, phone_number, dial_key, status,
        script_id, script_version, instance_id, policy_version, valid_until, claimed_at)
      select w."requestId", c.campaign_id, c.id, ${batchId}, w."lineId", w.number, w."cellId", c.phone_number, c.dial_key, 'claimed',
        ${request.script?.scriptId ?? null}::int, ${request.script?.version ?? null}::int, ${request.instanceId}, ${request.policyVersion},
        ${instant(request.validUntil)}, clock_timestamp()
      from wanted w join contact c on c.id = w."contactId"
      where not exists (select 1 from softphone_call s where s.contact_id = c.id and s.direction <> 'conference' and ${SOFTPHONE_OPEN})
      on conflict (contact_id) where status in ('claimed','dialing','accepted','answered') do nothing
      returning id, contact_id, request_id),
    moved as (
      update contact c set status = 'submitted', attempt_count = c.attempt_count + 1, last_attempt_id = i.id
      from inserted i where c.id = i.contact_id)
    select id, request_id from inserted`);
  const attemptIds = new Map(inserted.map(row => [row.requestId, row.id]));
  return grants.flatMap((grant, index) => {
    const [contact, attemptId] = [admitted[index], attemptIds.get(grant.requestId)];
    if (contact === undefined || attemptId === undefined) return [];
    const { contactId, previousRequestId, isRetry, phoneNumber, customerName, metadata } = contact;
    const { requestId, lineId, number, cellId, startsInMs } = grant;
    return [
      {
        requestId,
        attemptId,
        batchId,
        contactId,
        previousRequestId,
        isRetry,
        phoneNumber,
        customerName,
        metadata,
        lineId,
        callerNumber: number,
        cellId,
        startsInMs,
      },
    ];
  });
}

/** Attempts that end before any switch hears of them (D4.5). */
async function insertFailed(
  tx: Sql,
  request: ClaimRequest,
  { batchId, failed }: { batchId: number; failed: Verdicts['failed'] },
): Promise<InvalidDial[]> {
  if (failed.length === 0) return [];
  const limits = (await retryLimits(tx, [request.campaignId]))(request.campaignId);
  const now = await tx.first(sql<{ at: number }>`select clock_timestamp() as at`);
  const endedAt = now?.at ?? 0;
  const rows = failed.map(({ row, callStatus }) => {
    const { retryAt, contactStatus } = contactOutcome({ callStatus, attemptCount: row.attemptCount + 1, endedAt, ...limits });
    return { contactId: row.contactId, callStatus, retryAt, contactStatus };
  });
  return tx.rows(sql<InvalidDial>`
    with wanted as (
      select * from jsonb_to_recordset(${json(rows)}) as w("contactId" bigint, "callStatus" text, "retryAt" float8, "contactStatus" text)),
    inserted as (
      insert into attempt (request_id, campaign_id, contact_id, batch_id, phone_number, dial_key, status, call_status, script_id,
        script_version, instance_id, policy_version, ended_at, duration_seconds)
      select gen_random_uuid(), c.campaign_id, c.id, ${batchId}, c.phone_number, c.dial_key, 'failed', w."callStatus",
        ${request.script?.scriptId ?? null}::int, ${request.script?.version ?? null}::int, ${request.instanceId}, ${request.policyVersion},
        ${instant(endedAt)}, 0
      from wanted w join contact c on c.id = w."contactId"
      returning id, contact_id, request_id, phone_number),
    moved as (
      update contact c set status = w."contactStatus", attempt_count = c.attempt_count + 1, last_attempt_id = i.id,
        retry_at = to_timestamp(w."retryAt" / 1000)
      from inserted i join wanted w on w."contactId" = i.contact_id where c.id = i.contact_id)
    select id as attempt_id, request_id, contact_id, phone_number from inserted`);
}
